// Which key means what. Python sends the list of keys; here a press is matched with it. No bare key
// acts while a field has focus: there only Esc and Mod+Enter do.

/** Return the action of a press, or null. Characters first, then digits by their place, then letters. */
function actionOf(event, keys) {
  if (event.isComposing || event.keyCode === 229) return null;
  const mod = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && mod && !event.altKey) return find(keys, (key) => key.press === "Mod+Enter");
  if (mod) return null;
  if (!event.altKey) {
    const named = find(keys, (key) => key.press === namedPress(event));
    if (named) return named;
    const printed = find(keys, (key) => key.kind === "printed" && key.press === event.key);
    if (printed) return printed;
  }
  return digitAction(event, keys) || letterAction(event, keys);
}

const NAMED = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Escape"];

function namedPress(event) {
  if (!NAMED.includes(event.key)) return "";
  return event.shiftKey ? `Shift+${event.key}` : event.key;
}

/** Digits are read by their place. A layout that prints them with Shift gives Shift+1 as 1. */
function digitAction(event, keys) {
  const place = /^(?:Digit|Numpad)([0-9])$/.exec(event.code || "");
  if (!place) return null;
  const digit = place[1];
  const shifted = event.shiftKey && event.key !== digit;
  if (event.altKey && event.shiftKey) return null;
  const press = shifted || event.altKey ? `Shift+${digit}` : digit;
  return find(keys, (key) => key.kind === "digit" && key.press === press);
}

/** Letters by what they print; by their place where the layout prints no Latin letter. */
function letterAction(event, keys) {
  if (event.altKey) return null;
  let letter = event.key.length === 1 ? event.key.toLowerCase() : "";
  const place = /^Key([A-Z])$/.exec(event.code || "");
  if (!/^[a-z]$/.test(letter) && /^\p{L}$/u.test(letter) && place) letter = place[1].toLowerCase();
  if (!/^[a-z]$/.test(letter)) return null;
  return find(keys, (key) => key.kind === "letter" && key.press === letter);
}

function find(keys, fits) {
  return keys.find(fits) || null;
}

/** Return whether a press may act now, given where the focus is. */
function mayAct(key, event, focused) {
  if (event.repeat && !key.repeats) return false;
  if (isField(focused)) return key.press === "Mod+Enter" || key.press === "Escape";
  const scrolls = focused && focused.dataset && focused.dataset.scrolls !== undefined;
  if (scrolls && ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key)) return false;
  return true;
}
