// Draws a tree of literal text. Every text becomes a text node; tags and attributes are of closed
// lists. What did not change is left alone, so that focus, scroll, typed text and what is unfolded
// stay.

const TAGS = new Set(
  ("a article aside button dd del details div dl dt em fieldset footer h1 h2 h3 h4 header " +
    "input ins kbd label legend li mark nav ol option p pre section select small span strong " +
    "summary table tbody td textarea th thead time tr ul").split(" "));
const ATTRIBUTES = new Set(
  ("aria-activedescendant aria-atomic aria-busy aria-colcount aria-controls aria-current " +
    "aria-describedby aria-disabled aria-expanded aria-hidden aria-label aria-labelledby " +
    "aria-level aria-live aria-modal aria-pressed aria-rowcount aria-rowindex aria-selected " +
    "checked colspan data-act data-arg data-current data-double data-enter data-field data-focus data-keep data-list " +
    "data-open data-row data-show dir disabled for href id lang maxlength name open placeholder " +
    "role rows scope selected tabindex title type value").split(" "));

function setAttributes(made, before, after) {
  for (const name of Object.keys(before)) {
    if (!(name in after)) made.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after)) {
    if (before[name] === value || !ATTRIBUTES.has(name)) continue;
    if (name === "href" && !/^[/?#]/.test(String(value))) continue;
    if (value === false) made.removeAttribute(name);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
}

function create(item) {
  if (typeof item === "string") return document.createTextNode(item);
  if (!TAGS.has(item.t)) return document.createTextNode("");
  const made = document.createElement(item.t);
  if (item.c) made.className = item.c;
  setAttributes(made, {}, item.a || {});
  for (const child of item.x || []) made.append(create(child));
  if (item.t === "textarea" || item.t === "input" || item.t === "select") remember(made);
  return made;
}

// What somebody typed and has not sent survives a refresh: kept in this tab under its own name.
function remember(field) {
  const name = field.getAttribute("data-keep");
  if (!name) return;
  const slot = "curation:" + name;
  try {
    const kept = sessionStorage.getItem(slot);
    const gone = field.tagName === "SELECT" && ![...field.options].some((one) => one.value === kept);
    if (kept !== null && !gone) field.value = kept;
    field.addEventListener("input", () => sessionStorage.setItem(slot, field.value));
  } catch { /* a browser without storage keeps the text in the page only */ }
}

function same(before, after) {
  if (typeof before === "string" || typeof after === "string") return false;
  return before.t === after.t && (before.a || {}).id === (after.a || {}).id;
}

function patch(made, before, after) {
  if ((before.c || "") !== (after.c || "")) made.className = after.c || "";
  setAttributes(made, before.a || {}, after.a || {});
  patchChildren(made, before.x || [], after.x || []);
}

function patchChildren(parent, before, after) {
  const nodes = [...parent.childNodes];
  after.forEach((item, at) => {
    const node = nodes[at];
    const old = before[at];
    if (node === undefined) parent.append(create(item));
    else if (same(old, item)) patch(node, old, item);
    else if (typeof old !== "string" || old !== item) node.replaceWith(create(item));
  });
  for (const node of nodes.slice(after.length)) node.remove();
}

// What is pressed on the first page before its bar is there is kept for the bar.
function keepEarly(root) {
  if (window.curationBar || window.curationEarly || !root.querySelector("[data-list], [data-act]")) return;
  const events = [];
  const keep = (event) => {
    if (event.type === "keydown" || event.target.closest?.("[data-act], [data-row]")) events.push({ at: Date.now(), event });
  };
  const kinds = ["keydown", "click"];
  for (const kind of kinds) window.addEventListener(kind, keep, true);
  const stop = () => {
    events.length = 0;
    for (const kind of kinds) window.removeEventListener(kind, keep, true);
  };
  window.curationEarly = { events, stop };
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".cur-view");
  const said = JSON.stringify(data.tree);
  if (root.said === said) return;
  const focused = root.contains(document.activeElement) ? document.activeElement.id : "";
  if (root.place !== data.place) root.replaceChildren();
  patchChildren(root, root.place === data.place ? root.tree || [] : [], data.tree);
  root.said = said;
  root.tree = data.tree;
  root.place = data.place;
  root.dispatchEvent(new CustomEvent("curation-drawn", { bubbles: true }));
  keepEarly(root);
  const lost = focused && document.activeElement === document.body;
  if (lost) document.getElementById(focused)?.focus({ preventScroll: true });
  const wanted = [...root.querySelectorAll("[data-focus]")].filter((part) => !part.taken);
  for (const part of wanted) part.taken = true;
  const typing = document.activeElement?.matches("input, textarea, select"); // never interrupted
  if (!typing) wanted.at(-1)?.focus({ preventScroll: true });
}
