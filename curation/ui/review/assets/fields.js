// Text fields. What a person types is never overwritten by an older echo of the server: every field
// counts its own typing, Python says which count it has seen, and a new text from Python is taken
// only when everything typed here was seen.

const PAUSE_MS = 1000;

class Fields {
  constructor(queue) {
    this.queue = queue;
    this.byId = new Map();
    this.serial = null;
    this.locked = false;
  }

  /** Begin anew for another answer. */
  reset(serial) {
    if (serial === this.serial) return;
    for (const entry of this.byId.values()) clearTimeout(entry.timer);
    this.byId.clear();
    this.serial = serial;
  }

  /** Bind an input to its field; called at every drawing. */
  bind(node, spec) {
    let entry = this.byId.get(spec.id);
    if (!entry) {
      entry = { typed: 0, sent: 0, rev: spec.rev, value: spec.value, timer: 0, composing: false };
      this.byId.set(spec.id, entry);
    }
    if (entry.node !== node) this.attach(node, spec.id, entry, spec);
    this.adopt(entry, spec);
    const readonly = this.locked || Boolean(spec.locked);
    if (node.localName === "select") node.disabled = readonly;
    else node.readOnly = readonly;
  }

  attach(node, id, entry, spec) {
    entry.node = node;
    node.cuField = id;
    node.value = entry.typed > spec.seen ? entry.value : spec.value;
    if (entry.typed <= spec.seen) {
      entry.value = spec.value;
      entry.rev = spec.rev;
    }
    if (node.cuBound) return;
    node.cuBound = true;
    node.addEventListener("input", () => this.typed(node));
    node.addEventListener("change", () => node.localName === "select" && this.commit(node.cuField));
    node.addEventListener("blur", () => this.commit(node.cuField));
    node.addEventListener("compositionstart", () => this.composing(node, true));
    node.addEventListener("compositionend", () => this.composing(node, false));
  }

  adopt(entry, spec) {
    if (spec.rev === entry.rev) return;
    entry.rev = spec.rev;
    if (entry.typed > spec.seen || spec.value === entry.value) return;
    entry.value = spec.value;
    const node = entry.node;
    if (!node) return;
    const place = node === document.activeElement && node.selectionStart !== null ? node.selectionStart : null;
    node.value = spec.value;
    if (place !== null && node.setSelectionRange) {
      const at = Math.min(place, spec.value.length);
      node.setSelectionRange(at, at);
    }
    grow(node);
  }

  composing(node, on) {
    const entry = this.byId.get(node.cuField);
    if (entry) entry.composing = on;
  }

  typed(node) {
    const id = node.cuField;
    const entry = this.byId.get(id);
    if (!entry) return;
    entry.typed += 1;
    entry.value = node.value;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => !entry.composing && this.commit(id), PAUSE_MS);
    grow(node);
  }

  /** Send what was typed into a field, if anything was. */
  commit(id) {
    const entry = this.byId.get(id);
    if (!entry || entry.typed === entry.sent) return;
    clearTimeout(entry.timer);
    entry.sent = entry.typed;
    this.queue.push("field", { field: id, value: entry.value, v: entry.typed });
  }

  /** Send everything typed; called before any key that acts. */
  flush() {
    for (const id of this.byId.keys()) this.commit(id);
  }

  get dirty() {
    return [...this.byId.values()].some((entry) => entry.typed !== entry.sent);
  }

  node(id) {
    const entry = this.byId.get(id);
    return entry && entry.node && entry.node.isConnected ? entry.node : null;
  }

  /** Return the caret of a field in code points; the end where it was never entered. */
  caret(id) {
    const node = this.node(id);
    if (!node) return null;
    return codePoints(node.value.slice(0, node.selectionStart === null ? node.value.length : node.selectionStart));
  }
}

const GROWS_ITSELF = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Let a text area be as high as its text, up to its largest height. */
function grow(node) {
  if (GROWS_ITSELF || node.localName !== "textarea") return;
  node.style.height = "auto";
  node.style.height = `${node.scrollHeight + 2}px`;
}

let boundFields = null;

function bindField(node, spec) {
  if (boundFields) boundFields.bind(node, spec);
}
