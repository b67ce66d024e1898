const PATIENCE_MS = 4000;

// The screen: what only the browser knows (cursor, folds, open menus, focus) and what keys do.

class Screen {
  constructor(root) {
    this.root = root;
    this.data = null;
    this.queue = new EventQueue();
    this.fields = new Fields(this.queue);
    this.cursor = new Cursor();
    this.blocks = new Map();
    this.unfolded = new Set();
    this.open = { turns: false, details: false, help: false, menu: null, failure: false, search: false };
    this.pickBar = null;
    this.notice = null;
    this.said = { polite: "", urgent: "" };
    this.serial = null;
    this.focusNext = null;
    this.places = new Map(); // where the cursor stood in each answer
    this.place = null;
    this.trail = []; // where the cursor stood before Python put it elsewhere
    this.reason = ""; // why it is not actionable, as far as it is typed
    this.times = { touched: Date.now(), told: 0, skew: 0 };
  }

  get locked() {
    return Boolean(this.data.locked) || this.connection.lost;
  }

  /** Take what Python says and draw it. */
  update(data) {
    const fresh = data.serial !== this.serial;
    keepTexts(data.texts);
    this.queue.trim(data.client, data.ack);
    this.queue.serial = data.serial;
    this.times.skew = data.now - Date.now();
    this.fields.reset(data.serial);
    if (data.say.n !== (this.data ? this.data.say.n : 0)) this.said = { polite: data.say.polite, urgent: data.say.urgent };
    this.data = data;
    this.serial = data.serial;
    if (fresh) this.begin(data);
    const moved = this.draw();
    if (fresh) this.arrive();
    else if (data.goto && data.goto.n !== this.gone) this.standOn(data.goto);
    else if (moved) this.showCursor();
    this.gone = data.goto ? data.goto.n : 0;
    if (this.settled && !this.queue.waiting) this.settled();
    if (lacking.size) this.queue.push("missing", { texts: [...lacking] });
  }

  begin(data) {
    this.unfolded.clear();
    this.open = { turns: false, details: this.open.details, help: false, menu: null, failure: false, search: false };
    this.pickBar = null;
    this.trail = [];
    this.reason = "";
    if (this.place) this.places.set(this.place, { block: this.cursor.block, sentence: this.cursor.sentence });
    this.place = data.place || null;
    const before = this.places.get(this.place);
    const known = before && blocksOf(data).some((block) => block.key === before.block);
    const start = known ? before : data.cursor;
    if (start) this.cursor.stand(start.block, start.sentence);
  }

  arrive() {
    for (const pane of this.root.querySelectorAll(".cu-pane")) pane.scrollTop = 0;
    this.root.scrollTop = 0;
    this.home();
    this.showCursor();
  }

  /** Call back when Python has acted on everything sent, or after a while all the same. */
  whenSettled(done) {
    this.settled = () => {
      clearTimeout(timer);
      this.settled = null;
      done();
    };
    const timer = setTimeout(() => this.settled && this.settled(), PATIENCE_MS);
  }

  /** Put the focus where a person reads: the chunk pane. */
  home() {
    const pane = this.root.querySelector("[data-home]") || this.root.querySelector(".cu-nothing .cu-button");
    if (pane) pane.focus({ preventScroll: true });
  }

  standOn(place) {
    this.trail.push({ block: this.cursor.block, sentence: this.cursor.sentence });
    this.cursor.stand(place.block, place.sentence);
    this.draw();
    this.home();
    this.showCursor();
  }

  /** Where the block under the cursor was closed, stand again where it stood before; say whether. */
  keepPlace() {
    if (!this.blocks.size || !this.cursor.block || this.blocks.has(this.cursor.block)) return false;
    let place = this.trail.pop();
    while (place && !this.blocks.has(place.block)) place = this.trail.pop();
    place = place || this.data.cursor;
    if (place) this.cursor.stand(place.block, place.sentence);
    return Boolean(place);
  }

  /** Draw everything anew; return whether the cursor had to go elsewhere. */
  draw() {
    boundFields = this.fields;
    this.fields.locked = this.locked;
    const data = this.data;
    this.blocks = new Map(blocksOf(data).map((block) => [block.key, block]));
    const moved = this.keepPlace();
    lacking.clear();
    const kids = data.kind === "nothing" ? [drawNotice(data, this), drawEmpty(data, this)] : this.parts(data);
    patchKids(this.root, [...kids, drawSaying(this)].filter(Boolean));
    this.root.classList.toggle("cu-editing-off", this.locked);
    if (data.panel) this.aboveBar();
    paintWords(this.root, this.cursor, this.blocks);
    if (this.focusNext) this.takeFocus();
    else if (document.activeElement === document.body || document.activeElement === null) this.home();
    return moved;
  }

  /** Let a panel stand on the action bar, however high that is. */
  aboveBar() {
    const bar = this.root.querySelector(".cu-bar");
    if (bar) this.root.style.setProperty("--cu-bar-height", `${bar.offsetHeight + 4}px`);
  }

  parts(data) {
    return [
      drawHeader(data),
      drawNotice(data, this),
      drawAnswer(data, this),
      drawChunks(data, this),
      drawCase(data, this),
      drawChecks(data, this),
      drawKeyLine(data, this),
      drawPanel(data, this),
      drawBar(data, this),
      drawPickBar(data, this),
      drawHelp(data, this),
    ];
  }

  takeFocus() {
    const node = this.root.querySelector(this.focusNext);
    if (!node) return;
    this.focusNext = null;
    node.focus();
  }

  /** Scroll the reading pane so that the cursor is seen. */
  showCursor() {
    const here = this.root.querySelector(".cu-cursor");
    if (here) here.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // ---- what keys and buttons do

  /** Run the action of a key or button. */
  run(act, event) {
    const local = LOCAL_ACTS[act];
    if (local) return local(this, event);
    if (PICKS.has(act)) return this.pick(act);
    return this.act(act, {});
  }

  /** Send an act, after everything that was typed. */
  act(act, args) {
    this.fields.flush();
    this.pickBar = null;
    this.open.menu = null;
    this.queue.push("act", { act, args: args || {} });
    this.draw();
  }

  pick(kind) {
    const pick = this.cursor.pick(this.blocks);
    if (!pick) return this.act("nothing_to_pick", {});
    this.fields.flush();
    this.pickBar = null;
    this.queue.push("pick", { kind, ...pick, caret: this.fields.caret("reference") });
    this.draw();
  }

  useEvidence(key) {
    const pick = this.cursor.block === key ? this.cursor.pick(this.blocks) : null;
    this.act("use_evidence", { block: key, start: pick ? pick.start : null, end: pick ? pick.end : null });
  }

  local(name) {
    this.open[name] = !this.open[name];
    this.draw();
  }

  unfold(key) {
    if (this.unfolded.has(key)) this.unfolded.delete(key);
    else this.unfolded.add(key);
    this.draw();
    this.home();
  }

  /** Move to another sentence or block. */
  move(place) {
    if (!place) return;
    this.cursor.stand(place.block, place.sentence);
    this.pickBar = null;
    this.draw();
    this.showCursor();
    this.sayCursor();
  }

  moveWord(step, extend) {
    const block = this.blocks.get(this.cursor.block);
    if (!block) return;
    this.cursor.moveWord(block, step, extend);
    this.pickBar = null;
    this.draw();
    this.showCursor();
    this.sayCursor();
  }

  sayCursor() {
    const pick = this.cursor.pick(this.blocks);
    const block = this.blocks.get(this.cursor.block);
    if (!pick || !block) return;
    this.said = { polite: slice(texts.get(block.text), pick.start, Math.min(pick.end, pick.start + 200)), urgent: "" };
    const region = this.root.querySelector('[role="status"][aria-live]');
    if (region) region.textContent = this.said.polite;
  }

  /** Esc: leave the field, close what is open, widen the cursor, in this order. */
  escape() {
    const focused = document.activeElement;
    if (this.open.help) return this.closeHelp();
    if (focused && focused.dataset && focused.dataset.entry === "search") return this.closeSearch();
    if (isField(focused) && !focused.closest(".cu-panel")) {
      this.fields.flush();
      focused.blur();
      return this.home();
    }
    if (this.open.menu) return this.closeMenu();
    if (this.open.failure) {
      this.open.failure = false;
      this.draw();
      return this.home();
    }
    if (this.data.panel) return this.act("close_panel", {}) || this.home();
    if (this.pickBar || this.cursor.words || this.cursor.range) return this.widen();
    if (this.open.search || (this.data.chunks && this.data.chunks.search.shown)) return this.closeSearch();
    if (this.data.message) this.act("clear_message", {});
    return this.home();
  }

  widen() {
    this.pickBar = null;
    this.cursor.widen();
    const selection = document.getSelection();
    if (selection) selection.removeAllRanges();
    this.draw();
    this.home();
  }

  closeHelp() {
    this.open.help = false;
    this.draw();
    this.home();
  }

  openSearch() {
    this.open.search = true;
    this.focusNext = '[data-entry="search"]';
    this.draw();
    const pane = this.root.querySelector(".cu-chunks");
    if (pane) pane.scrollTop = 0;
  }

  search() {
    const query = this.entry("search").trim();
    if (query) this.act("search", { query });
    this.home();
  }

  closeSearch() {
    const shown = this.data.chunks && this.data.chunks.search.shown;
    this.open.search = false;
    if (shown) this.act("close_search", {});
    else this.draw();
    this.home();
  }

  entry(name) {
    const node = this.root.querySelector(`[data-entry="${name}"]`);
    return node ? node.value : "";
  }

  /** Add the typed fact as required. */
  addFact() {
    const node = this.root.querySelector('[data-entry="fact"]');
    const text = node ? node.value.trim() : "";
    if (!text) return;
    node.value = "";
    this.act("fact_add", { text });
  }

  propose() {
    this.addFact();
    this.act("propose", {});
    if (isField(document.activeElement)) document.activeElement.blur();
    this.home();
  }

  goToField(selector) {
    const node = this.root.querySelector(selector);
    if (!node) return;
    node.focus();
    if (node.setSelectionRange && node.value) node.setSelectionRange(node.value.length, node.value.length);
    node.scrollIntoView({ block: "nearest" });
  }

  repair(repair) {
    if (!repair) return;
    if (repair.run) this.run(repair.run);
    else if (repair.focus) this.focusField(repair.focus);
    else this.act(repair.act, repair.args);
  }

  repairFirst() {
    const first = this.data.checks.lines.find((line) => line.first);
    if (first) this.repair(first.repair);
  }

  /** Go to the word of why of the first warning that has none. */
  explainFirst() {
    if (this.data.checks.explain) this.focusField(this.data.checks.explain);
  }

  focusField(id) {
    if (DETAIL_FIELDS.has(id) && !this.open.details) {
      this.open.details = true;
      this.draw();
    }
    this.goToField(`[data-field="${id}"]`);
  }

  noticeAct(act) {
    if (act.act === "hand_over") keepAsComment(act.args.change, this.data.copy);
    if (act.act === "copy") copyText(this.data.copy);
    else if (act.run) this.run(act.run);
    else this.act(act.act, act.args || {});
  }

  // ---- menus

  toggleMenu(id) {
    this.open.menu = this.open.menu === id ? null : id;
    this.draw();
    if (this.open.menu) {
      const first = this.root.querySelector(".cu-items .cu-item");
      if (first) first.focus();
    }
  }

  closeMenu() {
    const id = this.open.menu;
    this.open.menu = null;
    this.draw();
    const opener = this.root.querySelector(`[data-menu="${id}"]`);
    if (opener) opener.focus();
  }

  chooseItem(id, item) {
    this.open.menu = null;
    if (item.then) this.focusNext = item.then;
    this.act(item.act, item.args);
    if (!item.then) this.home();
  }

  /** Open the details with the focus on their heading, so that Tab enters them; or close them. */
  toggleDetails() {
    this.local("details");
    if (this.open.details) this.goToField('[data-fold="details"]');
    else this.home();
  }

  toggleFailure() {
    this.open.failure = !this.open.failure;
    this.draw();
    const chosen = this.root.querySelector(".cu-options .cu-on") || this.root.querySelector(".cu-options .cu-item");
    if (this.open.failure && chosen) chosen.focus();
    else this.home();
  }

  chooseFailure(value) {
    this.open.failure = false;
    this.focusNext = value === "none" ? '[data-field="failure_why"]' : null;
    this.act("failure", { value });
    if (value !== "none") this.home();
  }

  /** Arrow keys inside a menu or list of options move between its items. */
  menuKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const items = [...event.currentTarget.querySelectorAll(".cu-item")];
    const at = items.indexOf(document.activeElement);
    const next = items[(at + step + items.length) % items.length];
    if (next) next.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the mouse

  pointerUp(event) {
    const inside = event.target.closest && event.target.closest(".cu-pickbar, button, input, textarea, select, form");
    if (inside) return;
    const selected = mouseSelection(this.root, this.blocks);
    if (selected) return this.select(selected);
    const sentence = event.target.closest && event.target.closest("[data-s]");
    const holder = sentence && sentence.closest("[data-block]");
    if (holder && this.blocks.has(holder.dataset.block)) {
      this.cursor.stand(holder.dataset.block, Number(sentence.dataset.s));
      this.pickBar = null;
      this.draw();
      this.home();
    } else if (event.target.closest(".cu-answer") && document.getSelection().isCollapsed) {
      this.home();
    }
  }

  select(selected) {
    const block = this.blocks.get(selected.block);
    this.cursor.stand(selected.block, sentenceAt(texts.get(block.text), selected.range[0]));
    this.cursor.range = selected.range;
    this.pickBar = {
      x: Math.max(8, Math.min(selected.rect.left, window.innerWidth - 620)),
      y: Math.max(8, Math.min(selected.rect.bottom + 6, window.innerHeight - 48)),
    };
    this.draw();
  }
}

const PICKS = new Set(["required", "optional", "forbidden", "required_and_forbid", "evidence", "reference", "wording"]);
const DETAIL_FIELDS = new Set(["question", "standalone_question", "question_type", "slice", "category", "weight", "reason", "notes"]);

/** What is done in the browser alone. */
const LOCAL_ACTS = {
  up: (ui) => ui.move(stepFrom(cursorPath(ui.blocks, ui.unfolded), ui.blocks, ui.cursor, -1)),
  down: (ui) => ui.move(stepFrom(cursorPath(ui.blocks, ui.unfolded), ui.blocks, ui.cursor, 1)),
  page_up: (ui) => ui.move(stepBlock(cursorPath(ui.blocks, ui.unfolded), ui.blocks, ui.cursor, -1)),
  page_down: (ui) => ui.move(stepBlock(cursorPath(ui.blocks, ui.unfolded), ui.blocks, ui.cursor, 1)),
  word_left: (ui) => ui.moveWord(-1, false),
  word_right: (ui) => ui.moveWord(1, false),
  extend_left: (ui) => ui.moveWord(-1, true),
  extend_right: (ui) => ui.moveWord(1, true),
  escape: (ui) => ui.escape(),
  home: (ui) => ui.home(),
  versions: (ui) => ui.act("versions", { block: ui.cursor.block }),
  show_all: (ui) => ui.unfold(ui.cursor.block),
  write: (ui) => ui.goToField('[data-field="reference"]'),
  add_fact: (ui) => ui.goToField('[data-entry="fact"]'),
  search: (ui) => ui.openSearch(),
  failure: (ui) => ui.toggleFailure(),
  details: (ui) => ui.toggleDetails(),
  turns: (ui) => ui.local("turns"),
  help: (ui) => {
    ui.open.help = !ui.open.help;
    if (ui.open.help) ui.focusNext = ".cu-help";
    ui.draw();
    if (!ui.open.help) ui.home();
  },
  repair: (ui) => ui.repairFirst(),
  explain: (ui) => ui.explainFirst(),
  propose: (ui) => ui.propose(),
  not_actionable: (ui) => {
    ui.focusNext = '[data-entry="reason"]';
    ui.act("not_actionable", {});
  },
  duplicate: (ui) => {
    ui.focusNext = ".cu-panel .cu-button";
    ui.act("duplicate", {});
  },
};
