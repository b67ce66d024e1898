// Draws a tree of literal text. Every text becomes a text node; tags and attributes are of closed
// lists; a tree that did not change is left alone, so focus, scroll and unfolded parts stay.

const TAGS = new Set(
  ("a article aside button dd del details div dl dt em fieldset footer h1 h2 h3 h4 header input " +
    "ins kbd label legend li mark nav ol option p pre section select small span strong summary " +
    "table tbody td textarea th thead time tr ul").split(" "));
const ATTRIBUTES = new Set(
  ("aria-activedescendant aria-atomic aria-busy aria-controls aria-current aria-describedby " +
    "aria-disabled aria-expanded aria-hidden aria-label aria-labelledby aria-level aria-live " +
    "aria-pressed aria-rowcount aria-rowindex aria-selected aria-sort checked colspan data-act " +
    "data-arg data-field data-focus data-keep data-list data-open data-row data-details disabled " +
    "dir for href id maxlength name open placeholder role rows scope selected tabindex title type " +
    "value lang").split(" "));

function element(item) {
  if (typeof item === "string") return document.createTextNode(item);
  if (!TAGS.has(item.t)) return document.createTextNode("");
  const made = document.createElement(item.t);
  if (item.c) made.className = item.c;
  for (const [name, value] of Object.entries(item.a || {})) {
    if (!ATTRIBUTES.has(name)) continue;
    if (name === "href" && !/^[/?#]/.test(String(value))) continue;
    if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  for (const child of item.x || []) made.append(element(child));
  if (item.t === "textarea" || item.t === "input") remember(made);
  return made;
}

// What somebody typed and has not sent survives a refresh: kept in this tab under its own name.
function remember(field) {
  const name = field.getAttribute("data-keep");
  if (!name) return;
  const slot = "curation:" + name;
  try {
    const kept = sessionStorage.getItem(slot);
    if (kept !== null) field.value = kept;
    field.addEventListener("input", () => sessionStorage.setItem(slot, field.value));
  } catch { /* a browser without storage keeps the text in the page only */ }
}

function scrolls(root) {
  return [...root.querySelectorAll("[data-list], .cur-scroll")].map((pane) => [
    pane.id, pane.scrollTop]);
}

export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".cur-view");
  const drawn = JSON.stringify(data.tree);
  if (root.drawn === drawn) return;
  const focus = document.activeElement;
  const focused = focus && root.contains(focus) ? focus.id : "";
  const places = root.drawn && root.place === data.place ? scrolls(root) : [];
  const current = root.querySelector("[data-list]")?.getAttribute("aria-activedescendant");
  root.replaceChildren(...data.tree.map(element));
  for (const [id, top] of places) {
    const pane = id && document.getElementById(id);
    if (pane) pane.scrollTop = top;
  }
  root.drawn = drawn;
  root.place = data.place;
  root.dispatchEvent(new CustomEvent("curation-drawn", { bubbles: true, detail: { current } }));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  else root.querySelector("[data-focus]")?.focus({ preventScroll: true });
}
