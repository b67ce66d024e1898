// The action bar: the one place of a page that hears keys and presses. Each becomes a numbered
// event in a list that is kept until Python has acknowledged it (component state, never a
// trigger: triggers that come close together are lost or doubled).

const DIGIT = /^(?:Digit|Numpad)([0-9])$/;
const LETTER = /^Key([A-Z])$/;
const FIELD = "input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, " +
  "[contenteditable=true], [contenteditable='']";
const PRESSABLE = "button, a[href], summary, [role=button], [role=radio], [role=tab], " +
  "[role=option], [role=menuitem], input, select, textarea";

function keyOf(event) {
  if (event.key === "/" || event.key === "?") return event.key;
  const digit = DIGIT.exec(event.code);
  if (digit) return digit[1];
  if (event.key.length === 1) {
    if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
    const letter = LETTER.exec(event.code);
    return letter ? letter[1].toLowerCase() : event.key;
  }
  return event.key;
}

function inField() {
  const focus = document.activeElement;
  return !!focus && focus.matches(FIELD);
}

function lists() {
  return [...document.querySelectorAll("[data-list]")];
}

function rowsOf(list) {
  return [...list.querySelectorAll("[data-row]")];
}

function currentRow(list) {
  const id = list.getAttribute("aria-activedescendant");
  return id ? document.getElementById(id) : null;
}

function select(list, row, scroll = true) {
  for (const other of list.querySelectorAll("[aria-selected=true]")) {
    if (other !== row) other.setAttribute("aria-selected", "false");
  }
  if (!row) return;
  row.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", row.id);
  list.current = row.getAttribute("data-row");
  if (scroll) row.scrollIntoView({ block: "nearest" });
  else reveal(list, row);
  const details = document.getElementById(list.getAttribute("data-show") || "");
  const own = row.querySelector(".cur-row-details");
  if (details && own) details.replaceChildren(...[...own.childNodes].map((n) => n.cloneNode(true)));
}

// Scrolls the list, never the page.
function reveal(list, row) {
  const head = list.querySelector(".cur-head")?.offsetHeight ?? 0;
  const top = row.offsetTop - head;
  const bottom = row.offsetTop + row.offsetHeight - list.clientHeight;
  if (list.scrollTop > top) list.scrollTop = top;
  else if (list.scrollTop < bottom) list.scrollTop = bottom;
}

// After a list was drawn anew its row stays the same one; a list that opens rows says which.
function settleOn(list) {
  const rows = rowsOf(list);
  const at = rows.indexOf(currentRow(list));
  const wanted = list.getAttribute("data-current") || list.current;
  const row = rows.find((one) => one.getAttribute("data-row") === wanted) || rows[at] || rows[0];
  select(list, row, false);
}

function move(list, step) {
  const rows = rowsOf(list);
  if (!rows.length) return false;
  const at = rows.indexOf(currentRow(list));
  const to = step === "first" ? 0 : step === "last" ? rows.length - 1 : at + step;
  if (to < 0 || to >= rows.length) return false;
  select(list, rows[to]);
  return true;
}

function fields() {
  const values = {};
  for (const field of document.querySelectorAll("[data-field]")) {
    const name = field.getAttribute("data-field");
    if (field.type === "radio" || field.type === "checkbox") {
      if (field.checked) values[name] = field.value;
    } else values[name] = field.value;
  }
  return values;
}

// What is pressed between the moment a page is drawn and the moment its bar is there is kept and
// pressed then; what is pressed before the page is seen is not.
const EARLY_MS = 3000;

/** What was pressed on the first page before there was a bar; view.js kept it. */
function takeEarly() {
  const kept = window.curationEarly?.events.filter((one) => Date.now() - one.at < EARLY_MS) || [];
  window.curationEarly?.stop();
  return kept.map((one) => one.event);
}

function pathOfPage() {
  return location.pathname.split("/").filter(Boolean)[0] || "queue";
}

function copyOf(event) {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  const nothing = () => {};
  return { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing: false,
    preventDefault: nothing, stopImmediatePropagation: nothing };
}

function mayWait(event) {
  if (inField() || event.repeat || event.altKey) return false;
  const enter = event.key === "Enter";
  if (event.ctrlKey || event.metaKey) return enter;
  if (enter) return !document.activeElement?.matches(PRESSABLE);
  return event.key.length === 1 && event.key !== " ";
}

class Bar {
  early = [];

  constructor() {
    this.queue = [];
    this.seq = 0;
    this.token = "";
    this.data = { actions: [] };
    window.addEventListener("keydown", (event) => this.onKey(event), true);
    document.addEventListener("click", (event) => this.onClick(event), true);
    document.addEventListener("dblclick", (event) => this.onDouble(event), true);
    document.addEventListener("curation-drawn", (event) => this.onDrawn(event));
    this.size = new ResizeObserver(([bar]) => makeRoom(bar.target));
    new MutationObserver(nameDropZones).observe(document.body, { childList: true, subtree: true });
  }

  /** Whether the page on the screen still waits for its bar. */
  waits() {
    const page = pathOfPage();
    return this.seen === page && !this.token.endsWith(":" + page);
  }

  /**
   * Whether the key ends a form whose own keys are still on their way: the form is drawn first.
   * On a page that has no bar, what was sent on the way there is never acknowledged.
   */
  tooSoon(event) {
    if (!this.queue.length || event.repeat || !this.root?.isConnected) return false;
    const commits = (event.ctrlKey || event.metaKey) && event.key === "Enter";
    return commits ? inField() : event.key === "Escape" && !inField();
  }

  keep(act) {
    this.early.push({ at: Date.now(), page: pathOfPage(), act });
  }

  pressEarly() {
    const kept = this.early.filter((one) => Date.now() - one.at < EARLY_MS);
    this.early = [];
    for (const one of kept) if (one.page === pathOfPage() && !this.waits()) one.act();
  }

  update(component) {
    const { data } = component;
    this.send = component.setStateValue;
    const root = component.parentElement.querySelector(".cur-bar");
    if (root !== this.root) this.size.disconnect();
    this.root = root;
    this.size.observe(root);
    this.data = data;
    if (data.token !== this.token) {
      this.token = data.token;
      this.queue = [];
      this.seen = "";
    }
    for (const event of takeEarly()) {
      if (event.type === "click") this.keep(() => this.onClick({ target: event.target }));
      else if (mayWait(event)) this.keep(() => this.onKey(copyOf(event)));
    }
    this.seq = Math.max(this.seq, data.ack);
    this.queue = this.queue.filter((event) => event.seq > data.ack);
    for (const name of data.sent || []) forget(name);
    for (const list of lists()) settleOn(list);
    if (this.early.length) setTimeout(() => this.pressEarly());
  }

  emit(act, more = {}) {
    this.seq += 1;
    const rows = {};
    for (const list of lists()) {
      rows[list.getAttribute("data-list")] = currentRow(list)?.getAttribute("data-row") ?? "";
    }
    this.queue.push({ token: this.token, seq: this.seq, act, rows, fields: fields(), ...more });
    if (this.send) this.send("events", this.queue);
  }

  onDrawn(event) {
    if (event.target.querySelector("[data-list], [data-act]")) this.seen = pathOfPage();
    for (const list of event.target.querySelectorAll("[data-list]")) settleOn(list);
  }

  onKey(event) {
    if (event.isComposing || document.querySelector("[role=dialog][aria-modal=true]")) return;
    if (this.waits() || this.tooSoon(event)) {
      if (this.waits() && !mayWait(event)) return;
      const pressed = copyOf(event);
      stop(event);
      this.keep(() => this.onKey(pressed));
      return;
    }
    if (!this.root || !this.root.isConnected) return;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === "Enter") return this.onCommit(event);
    if (mod || event.altKey) return;
    if (event.key === "Escape") return this.onEscape(event);
    if (inField()) return this.onEnter(event);
    const key = keyOf(event);
    if (this.onListKey(event, key)) return;
    if (key === "Enter" && document.activeElement?.matches(PRESSABLE)) return;
    const action = this.data.actions.find((one) => one.keys.includes(key));
    if (action) {
      stop(event);
      if (!event.repeat || action.repeats) this.run(action);
    } else if (key === "c" || key === "r") stop(event); // the framework's own shortcuts
  }

  onEnter(event) { // the one key that a field of one line may act on
    const act = event.key === "Enter" && document.activeElement.getAttribute("data-enter");
    if (!act) return;
    stop(event);
    if (!event.repeat) this.emit(act);
  }

  onCommit(event) {
    const action = this.data.actions.find((one) => one.keys.includes("Mod+Enter"));
    if (!action) return;
    stop(event);
    if (event.repeat) return;
    if (inField()) document.activeElement.blur(); // commits what was typed before it acts
    this.run(action);
  }

  onEscape(event) {
    const focus = document.activeElement;
    if (inField()) {
      if (focus.getAttribute("aria-expanded") === "true") return;
      stop(event);
      focus.blur();
      lists()[0]?.focus({ preventScroll: true });
      return;
    }
    const legend = document.querySelector(".cur-legend:not([hidden])");
    if (legend) {
      stop(event);
      this.toggleLegend();
      return;
    }
    const close = this.data.actions.find((one) => one.keys.includes("Escape"));
    if (close) {
      stop(event);
      this.run(close);
    }
  }

  onListKey(event, key) {
    const focus = document.activeElement;
    const list = focus?.closest?.("[data-list]") || lists()[0];
    const step = { ArrowUp: -1, ArrowDown: 1, Home: "first", End: "last" }[key];
    if (!list || step === undefined) return false;
    if (focus?.closest?.("[role=radiogroup], [role=listbox]:not([data-list]), .cur-scroll, .cur-legend")) return false;
    stop(event);
    const before = currentRow(list);
    move(list, step);
    const open = list.getAttribute("data-open");
    if (open && currentRow(list) !== before) this.later(open, currentRow(list));
    return true;
  }

  later(act, row) { // while an arrow is held, only the row where it stops is opened
    clearTimeout(this.timer);
    const token = this.token;
    this.timer = setTimeout(() => {
      if (token === this.token) this.emit(act, { arg: row.getAttribute("data-row") });
    }, 120);
  }

  onClick(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.waits() && target?.closest("[data-act], [data-row]")) {
      this.keep(() => target.isConnected && this.onClick({ target }));
      return;
    }
    if (!this.root || !this.root.isConnected) return;
    const pressed = target?.closest("[data-act]");
    if (pressed) {
      if (pressed.getAttribute("aria-disabled") === "true") return;
      const arg = pressed.getAttribute("data-arg") || "";
      const action = this.data.actions.find((one) => one.act === pressed.getAttribute("data-act"));
      if (action && !arg) this.run(action);
      else this.emit(pressed.getAttribute("data-act"), { arg });
      return;
    }
    const row = target?.closest("[data-row]");
    const list = row?.closest("[data-list]");
    if (!list) return;
    select(list, row);
    const open = list.getAttribute("data-open");
    if (open) this.emit(open, { arg: row.getAttribute("data-row") });
  }

  onDouble(event) {
    const row = event.target instanceof Element ? event.target.closest("[data-row]") : null;
    const list = row?.closest("[data-list]");
    const act = list?.getAttribute("data-double");
    if (act) this.emit(act);
  }

  run(action) {
    if (action.client === "legend") return this.toggleLegend();
    if (action.client === "focus") return focusOn(action.target);
    if (action.off) {
      announce(this.root, action.off);
      return undefined;
    }
    if (action.needs && this.lacks(action)) return undefined;
    return this.emit(action.act, { arg: action.arg });
  }

  lacks(action) {
    const field = document.querySelector(`[data-field="${CSS.escape(action.needs)}"]`);
    if (!field || field.value.trim()) return false;
    field.focus();
    if (action.needsSaid) announce(this.root, action.needsSaid);
    return true;
  }

  toggleLegend() {
    const legend = document.querySelector(".cur-legend");
    if (!legend) return;
    legend.hidden = !legend.hidden;
    const button = document.querySelector("[data-act=legend]");
    button?.setAttribute("aria-expanded", String(!legend.hidden));
  }
}

// Where the buttons take two rows, the panes above them end earlier.
function makeRoom(bar) {
  const height = `${Math.ceil(bar.getBoundingClientRect().height) + 1}px`;
  document.documentElement.style.setProperty("--cur-bar-height", height);
}

// The framework gives its drop zone a name and takes its role away; something named has a role.
function nameDropZones() {
  if (!location.pathname.endsWith("/import")) return;
  const zones = "[data-testid=stFileUploaderDropzone][role=presentation]";
  for (const zone of document.querySelectorAll(zones)) zone.setAttribute("role", "group");
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function forget(name) {
  try {
    sessionStorage.removeItem("curation:" + name);
  } catch { /* nothing was kept */ }
  for (const field of document.querySelectorAll("[data-keep]")) {
    if (field.getAttribute("data-keep") === name) field.value = "";
  }
}

function focusOn(target) {
  const place = document.querySelector(target);
  const field = place?.matches(FIELD) ? place : place?.querySelector(FIELD);
  (field || place)?.focus();
  if (field && field.select) field.select();
}

function announce(root, text) {
  const line = root.querySelector(".cur-message");
  if (!line) return;
  line.textContent = "";
  line.className = "cur-message cur-refused";
  line.setAttribute("role", "alert");
  line.append(document.createTextNode(text));
}

function hint(key) {
  const made = document.createElement("kbd");
  made.textContent = key;
  return made;
}

function buttonOf(action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "cur-button" + (action.primary ? " cur-primary" : "");
  const label = document.createElement("span");
  label.textContent = action.label;
  made.append(label);
  if (action.hint) made.append(hint(action.hint));
  made.setAttribute("data-act", action.act);
  if (action.client === "legend") made.setAttribute("aria-expanded", "false");
  if (action.off) {
    made.setAttribute("aria-disabled", "true");
    made.title = action.off;
  }
  return made;
}

function fillLegend(legend, actions) {
  const list = document.createElement("dl");
  for (const action of actions) {
    if (!action.hint) continue;
    const row = document.createElement("div");
    const key = document.createElement("dt");
    for (const part of action.hint.split(" or ")) {
      if (key.childNodes.length) key.append(" or ");
      key.append(hint(part));
    }
    const what = document.createElement("dd");
    what.textContent = action.about || action.label;
    row.append(key, what);
    list.append(row);
  }
  const rule = document.createElement("p");
  rule.textContent = "Keys act while no field has focus. Esc leaves a field, or closes this list.";
  legend.replaceChildren(list, rule);
}

function fillTools(tools, actions) {
  const focus = document.activeElement;
  const focused = focus && tools.contains(focus) ? focus.getAttribute("data-act") : null;
  tools.replaceChildren(...actions.filter((one) => one.shown).map(buttonOf));
  if (focused) tools.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
}

function fillMessage(line, message) {
  line.className = "cur-message" + (message ? " cur-" + message.kind : "");
  line.setAttribute("role", message?.kind === "refused" ? "alert" : "status");
  line.textContent = message?.text || "";
}

function draw(root, data) {
  const drawn = JSON.stringify([data.actions, data.note]);
  if (root.drawn !== drawn) {
    root.drawn = drawn;
    fillLegend(root.querySelector(".cur-legend"), data.actions);
    fillTools(root.querySelector(".cur-tools"), data.actions);
    root.querySelector(".cur-note").textContent = data.note || "";
  }
  fillMessage(root.querySelector(".cur-message"), data.message);
}

export default function (component) {
  window.curationBar ??= new Bar();
  window.curationBar.update(component);
  draw(component.parentElement.querySelector(".cur-bar"), component.data);
}
