// Mounting: one screen for each place on the page, updated at every message from Python.

const IDLE_CHECK_MS = 5000;
const TELL_EVERY_MS = 60000;
const HEADER = '[data-testid="stHeader"]';

const screens = new WeakMap();
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);
let worn = 0;

export default function review({ data, parentElement, setStateValue }) {
  let screen = screens.get(parentElement);
  if (!screen) {
    screen = mount(parentElement);
    screens.set(parentElement, screen);
  }
  screen.queue.setStateValue = setStateValue;
  shade(screen.root);
  place(screen.root);
  nameInAddress(screen.path, data.address);
  screen.update(data);
  return () => {
    screen.stop();
    screens.delete(parentElement);
  };
}

function mount(parentElement) {
  wear(1);
  const root = parentElement.querySelector(".cu-review");
  const screen = new Screen(root);
  screen.path = window.location.pathname;
  screen.connection = new Connection((lost) => connectionChanged(screen, lost));
  const onKey = (event) => keyDown(screen, event);
  const onPointer = (event) => root.contains(event.target) && screen.pointerUp(event);
  const onClick = (event) => holdClick(screen, event);
  const onLeave = () => screen.fields.flush();
  const onSize = () => place(root);
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("mouseup", onPointer);
  document.addEventListener("click", onClick, true);
  window.addEventListener("pagehide", onLeave);
  window.addEventListener("popstate", onLeave, true);
  window.addEventListener("resize", onSize);
  const headerSize = new ResizeObserver(onSize); // the framework's header may grow after us
  const header = document.querySelector(HEADER);
  if (header) headerSize.observe(header);
  const touch = () => touched(screen);
  for (const kind of ["pointerdown", "pointermove", "keydown"]) document.addEventListener(kind, touch, true);
  const timer = setInterval(() => watchHold(screen), IDLE_CHECK_MS);
  globalThis.__curationReview = {
    busy: () => screen.queue.waiting || screen.fields.dirty,
    hold: () => screen.data.hold.until,
    action: (event) => (actionOf(event, screen.data.keys) || {}).act,
  };
  screen.stop = () => {
    wear(-1);
    screen.fields.flush();
    clearInterval(timer);
    screen.connection.stop();
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("mouseup", onPointer);
    document.removeEventListener("click", onClick, true);
    window.removeEventListener("pagehide", onLeave);
    window.removeEventListener("popstate", onLeave, true);
    window.removeEventListener("resize", onSize);
    headerSize.disconnect();
    for (const kind of ["pointerdown", "pointermove", "keydown"]) document.removeEventListener(kind, touch, true);
    if (typeof CSS !== "undefined" && CSS.highlights) CSS.highlights.delete("cu-words");
  };
  return screen;
}

/** The styles are there while a screen is. */
function wear(step) {
  worn += step;
  const others = document.adoptedStyleSheets.filter((one) => one !== sheet);
  document.adoptedStyleSheets = worn > 0 ? [...others, sheet] : others;
}

function keyDown(screen, event) {
  if (!screen.data || event.defaultPrevented || blockedByDialog(screen)) return;
  const key = actionOf(event, screen.data.keys);
  if (!key) return;
  const focused = document.activeElement;
  if (!mayAct(key, event, focused)) return;
  if (inMenu(focused) && ["ArrowUp", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (screen.data.kind === "nothing" && !key.always) return;
  if (screen.connection.lost && !LOCAL_ACTS[key.act]) return;
  screen.run(key.act, event);
}

/** A click that may leave the page waits until what was typed has been saved. */
function holdClick(screen, event) {
  if (screen.releasing || screen.root.contains(event.target) || event.button || event.ctrlKey || event.metaKey) return;
  screen.fields.flush();
  if (!screen.queue.waiting || screen.connection.lost) return;
  event.preventDefault();
  event.stopPropagation();
  const target = event.target;
  screen.whenSettled(() => {
    screen.releasing = true;
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
    screen.releasing = false;
  });
}

function inMenu(node) {
  return Boolean(node && node.closest && node.closest(".cu-items, .cu-options"));
}

/** A dialog of the app itself, in front of this page, has the keyboard. */
function blockedByDialog(screen) {
  return Boolean(screen.root.closest("[inert]")) || !screen.root.isConnected;
}

/** Tell Python, at most once a minute, that somebody is here: that renews the hold. */
function touched(screen) {
  const now = Date.now();
  screen.times.touched = now;
  if (!screen.data || !screen.data.hold || screen.connection.lost) return;
  const ending = screen.notice && screen.notice.kind === "ending";
  if (!ending && now - screen.times.told < TELL_EVERY_MS) return;
  screen.times.told = now;
  screen.queue.push("here", {});
  if (!ending) return;
  screen.notice = null;
  screen.draw();
}

function watchHold(screen) {
  const data = screen.data;
  if (!data) return;
  if (data.watch && !screen.connection.lost && Date.now() - screen.times.told > data.watch) {
    screen.times.told = Date.now();
    screen.queue.push("look", {});
  }
  if (!data.hold || screen.connection.lost) return;
  const left = data.hold.until - (Date.now() + screen.times.skew);
  const ending = left > 0 && left <= data.hold.warn;
  const shown = Boolean(screen.notice && screen.notice.kind === "ending");
  if (ending === shown) return;
  screen.notice = ending ? { kind: "ending", text: data.hold.ending, urgent: false, acts: [] } : null;
  screen.draw();
}

function connectionChanged(screen, lost) {
  if (!screen.data) return;
  screen.notice = lost ? { kind: "lost", text: screen.data.lost, urgent: true, acts: [] } : null;
  screen.draw();
  if (!lost && screen.queue.waiting) screen.queue.send();
}

/** Let the address name the answer, in place: Back leads to where the person came from. */
function nameInAddress(path, answer) {
  const address = new URL(window.location.href);
  if (address.pathname !== path) return; // the person has left already
  if ((address.searchParams.get("answer") || "") === (answer || "")) return;
  if (answer) address.searchParams.set("answer", answer);
  else address.searchParams.delete("answer");
  window.history.replaceState(window.history.state, "", address);
}

/** Light or dark, from the colour that the theme gives the page. */
function shade(root) {
  const color = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color);
  const light = hex ? 0.299 * parseInt(hex[1], 16) + 0.587 * parseInt(hex[2], 16) + 0.114 * parseInt(hex[3], 16) : 255;
  root.dataset.shade = light < 128 ? "dark" : "light";
}

/** Take the room beneath the page's own header; the page itself never scrolls. */
function place(root) {
  const header = document.querySelector(HEADER);
  const top = header ? Math.max(0, header.getBoundingClientRect().bottom) : 0;
  root.style.top = `${Math.round(top)}px`;
}
