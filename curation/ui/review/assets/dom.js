// A small drawing layer. The view is a tree of plain objects; `patch` compares it with the page
// and applies only the differences, so that focus, caret, selection and scroll stay where they are.
// Text is set as text, never as markup: no string is ever parsed as HTML.

/** Return a node of the tree: tag, properties, children (strings are text). */
function h(tag, props, ...kids) {
  const shown = kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false);
  return { tag, props: props || {}, kids: shown };
}

/** Bring the children of an element in line with a list of nodes. */
function patchKids(parent, kids) {
  const keyed = new Map();
  const wanted = new Set();
  for (const kid of kids) if (kid.props && kid.props.key !== undefined) wanted.add(kid.props.key);
  for (const node of [...parent.childNodes]) {
    if (node.cuKey === undefined) continue;
    if (wanted.has(node.cuKey)) keyed.set(node.cuKey, node);
    else node.remove();
  }
  let at = parent.firstChild;
  for (const kid of kids) {
    const node = typeof kid === "object" ? element(parent, kid, keyed, at) : textNode(parent, String(kid), at);
    if (node !== at) parent.insertBefore(node, at);
    at = node.nextSibling;
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function textNode(parent, text, at) {
  if (at && at.nodeType === Node.TEXT_NODE) {
    if (at.data !== text) at.data = text;
    return at;
  }
  return document.createTextNode(text);
}

function element(parent, kid, keyed, at) {
  const key = kid.props.key;
  let node = key === undefined ? at : keyed.get(key);
  const fits =
    node && node.nodeType === Node.ELEMENT_NODE && node.localName === kid.tag && node.cuKey === key;
  if (!fits) {
    node = document.createElement(kid.tag);
    node.cuKey = key;
    node.cuProps = {};
  }
  patchElement(node, kid);
  return node;
}

function patchElement(node, kid) {
  patchProps(node, kid.props);
  if (kid.props.memo === undefined) patchKids(node, kid.kids);
  else if (!sameList(node.cuMemo, kid.props.memo)) {
    node.cuMemo = kid.props.memo;
    patchKids(node, kid.props.make());
  }
  if (kid.props.field) bindField(node, kid.props.field); // after the options of a list are there
  if (kid.props.ref) kid.props.ref(node);
}

function sameList(one, two) {
  return Boolean(one) && one.length === two.length && one.every((item, i) => item === two[i]);
}

const NOT_ATTRIBUTES = new Set(["key", "memo", "make", "field", "ref"]);

function patchProps(node, props) {
  const before = node.cuProps || {};
  for (const name of Object.keys(before)) {
    if (!(name in props) && !NOT_ATTRIBUTES.has(name)) clearProp(node, name);
  }
  for (const [name, value] of Object.entries(props)) {
    if (NOT_ATTRIBUTES.has(name)) continue;
    if (name.startsWith("on")) listen(node, name.slice(2), value);
    else if (before[name] !== value) setProp(node, name, value);
  }
  node.cuProps = props;
}

function setProp(node, name, value) {
  if (value === null || value === undefined || value === false) return clearProp(node, name);
  if (name === "class") node.className = value;
  else node.setAttribute(name, value === true ? "" : String(value));
}

function clearProp(node, name) {
  if (name.startsWith("on")) {
    if (node.cuOn) delete node.cuOn[name.slice(2)];
  } else if (name === "class") node.className = "";
  else node.removeAttribute(name);
}

/** One real listener for each kind of event; the handler behind it may change at every drawing. */
function listen(node, kind, handler) {
  if (!node.cuOn) node.cuOn = {};
  if (!(kind in node.cuOn) && !(node.cuHeard && node.cuHeard.has(kind))) {
    node.addEventListener(kind, (event) => node.cuOn[kind] && node.cuOn[kind](event));
    node.cuHeard = (node.cuHeard || new Set()).add(kind);
  }
  node.cuOn[kind] = handler;
}

/** Return a button that acts without taking the pointer's focus away from the reading pane. */
function button(label, act, props) {
  const given = props || {};
  return h("button", { type: "button", ...given, class: `cu-button ${given.class || ""}`, onclick: act }, label);
}

/** Return a key as people see it on a button. */
function keycap(key) {
  return key ? h("kbd", { class: "cu-key" }, key) : null;
}

function isField(node) {
  if (!node || !node.localName) return false;
  return ["input", "textarea", "select"].includes(node.localName) || node.isContentEditable;
}

/** Put a text on the clipboard, also where the page is served without https. */
function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) {
    navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** Put a text where the Changes page keeps what is written into a change's comment field. */
function keepAsComment(change, text) {
  try {
    sessionStorage.setItem(`curation:comment-${change}`, text);
  } catch {
    copyText(text); // a browser without storage: it is on the clipboard
  }
}
