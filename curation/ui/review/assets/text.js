// Texts and blocks. A text is drawn sentence by sentence; offsets are code points of the stored
// text everywhere, so JavaScript's UTF-16 positions never leave this file.

const TEXTS_KEY = Symbol.for("curation.review.texts");
/** Texts that this page has received, by id: they are sent once. */
const texts = (globalThis[TEXTS_KEY] = globalThis[TEXTS_KEY] || new Map());

/** Texts that the drawing needed and the page has not. */
const lacking = new Set();

function keepTexts(received) {
  for (const [id, text] of Object.entries(received || {})) texts.set(id, prepared(text));
}

/** Return a text with the table from code points to UTF-16 positions, where they differ. */
function prepared(text) {
  if (text.t.length === text.n) return { ...text, at: null };
  const at = new Uint32Array(text.n + 1);
  let point = 0;
  let unit = 0;
  for (const char of text.t) {
    at[point] = unit;
    point += 1;
    unit += char.length;
  }
  at[point] = unit;
  return { ...text, at };
}

function slice(text, start, end) {
  return text.at ? text.t.slice(text.at[start], text.at[end]) : text.t.slice(start, end);
}

function codePoints(string) {
  let count = 0;
  for (const _ of string) count += 1; // eslint-disable-line no-unused-vars
  return count;
}

function sentenceCount(text) {
  return text.s.length / 2;
}

function sentenceBounds(text, index) {
  return [text.s[2 * index], text.s[2 * index + 1]];
}

/** Return the sentence that holds an offset, or the nearest one before it. */
function sentenceAt(text, offset) {
  let found = 0;
  for (let i = 0; i < sentenceCount(text); i += 1) {
    if (text.s[2 * i] > offset) break;
    found = i;
  }
  return found;
}

/** Return the indices of the first and the last word inside a range; null where there is none. */
function wordsWithin(text, start, end) {
  let first = null;
  let last = null;
  for (let i = 0; 2 * i < text.w.length; i += 1) {
    if (text.w[2 * i + 1] <= start) continue;
    if (text.w[2 * i] >= end) break;
    if (first === null) first = i;
    last = i;
  }
  return first === null ? null : [first, last];
}

/** Return the range widened to whole words, as the person means it. */
function snapped(text, start, end) {
  const words = wordsWithin(text, start, end);
  if (!words) return null;
  return [Math.min(text.w[2 * words[0]], start), Math.max(text.w[2 * words[1] + 1], end)];
}

/** Return which sentences of a block are shown: its fold, what was unfolded, the cursor. */
function shownSentences(block, text, unfolded, cursorSentence) {
  const all = sentenceCount(text);
  if (!block.fold || unfolded) return [...Array(all).keys()];
  const shown = new Set(block.fold.sentences);
  if (cursorSentence !== null && cursorSentence !== undefined) shown.add(cursorSentence);
  return [...shown].filter((i) => i < all).sort((a, b) => a - b);
}

/** Draw a block of text: sentences, gaps between them, marks, and the button that unfolds. */
function drawBlock(block, options) {
  const text = texts.get(block.text);
  if (!text) {
    lacking.add(block.text);
    return h("div", { key: block.key, class: "cu-text" }, "…");
  }
  const cursor = options.cursor;
  const here = cursor && cursor.block === block.key ? cursor.sentence : null;
  const unfolded = options.unfolded.has(block.key);
  const body = h("div", {
    class: "cu-text",
    "data-block": block.key,
    dir: "auto",
    ref: (node) => {
      node.cuText = block.text;
    },
    memo: [block.text, JSON.stringify(block.marks || []), here, unfolded, JSON.stringify(block.fold || null)],
    make: () => drawSentences(block, text, unfolded, here),
  });
  const hidden = block.fold && !unfolded ? block.fold.hidden : 0;
  const more = hidden
    ? button(`Show ${hidden} more characters`, () => options.unfold(block.key), { class: "cu-more", key: "more" })
    : null;
  return h("div", { key: block.key, class: "cu-block" }, body, more);
}

function drawSentences(block, text, unfolded, here) {
  const out = [];
  let end = 0;
  let before = -1;
  for (const index of shownSentences(block, text, unfolded, here)) {
    const [from, to] = sentenceBounds(text, index);
    if (index !== before + 1) out.push(h("span", { class: "cu-gap" }, "…\n"));
    else if (from > end) out.push(drawGap(text, end, from));
    const current = index === here ? " cu-cursor" : "";
    out.push(h("span", { class: `cu-s${current}`, "data-s": index, key: `s${index}` }, runs(text, from, to, block.marks)));
    end = to;
    before = index;
  }
  if (sentenceCount(text) === 0 || before === sentenceCount(text) - 1) {
    if (end < text.n) out.push(drawGap(text, end, text.n));
  }
  return out;
}

function drawGap(text, from, to) {
  return h("span", { class: "cu-g", "data-from": from, key: `g${from}` }, runs(text, from, to, null));
}

/** Split a range where marks or hidden characters begin and end. */
function runs(text, from, to, marks) {
  const near = (marks || []).filter((mark) => mark[0] < to && mark[1] > from);
  const hidden = hiddenWithin(text, from, to);
  if (!near.length && !hidden.length) return [slice(text, from, to)];
  const cuts = new Set([from, to]);
  for (const [start, end] of near) {
    cuts.add(Math.max(start, from));
    cuts.add(Math.min(end, to));
  }
  for (const [at] of hidden) {
    cuts.add(at);
    cuts.add(at + 1);
  }
  const shownAs = new Map(hidden);
  const points = [...cuts].sort((a, b) => a - b);
  const out = [];
  for (let i = 0; i + 1 < points.length; i += 1) out.push(drawRun(text, points[i], points[i + 1], near, shownAs));
  return out;
}

function drawRun(text, start, end, near, shownAs) {
  const over = near.filter((mark) => mark[0] <= start && mark[1] >= end);
  const hiddenAs = shownAs.get(start);
  const inner =
    hiddenAs === undefined ? slice(text, start, end) : h("span", { class: "cu-hidden", "data-n": 1 }, hiddenAs);
  if (!over.length) return inner;
  const opens = over.filter((mark) => mark[0] === start && MARK_GLYPHS[mark[2]]);
  const closes = over.filter((mark) => mark[1] === end && mark[2] === "unsupported");
  return h(
    "mark",
    {
      class: `cu-m ${over.map((mark) => `cu-m-${mark[2]}`).join(" ")}`,
      "data-glyph": opens.length ? opens.map((mark) => MARK_GLYPHS[mark[2]]).join("") : null,
      "data-raised": closes.length ? "?" : null,
      title: over.map((mark) => mark[3]).filter(Boolean).join(" · ") || null,
    },
    inner,
  );
}

const MARK_GLYPHS = { required: "✓", optional: "○", forbidden: "✕", quote: "❝", unsure: "◐" };

/** Return the hidden characters of a range as [offset, what is shown instead]. */
function hiddenWithin(text, from, to) {
  if (!text.x.length) return [];
  return text.x.filter(([at]) => at >= from && at < to);
}

/** Return the code point behind a place on the page, or null when it is outside of this block. */
function offsetOf(blockNode, node, offset) {
  const holder = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("[data-s],[data-from]");
  if (!holder || !blockNode.contains(holder)) return null;
  const text = texts.get(blockNode.cuText);
  const base = holder.dataset.s === undefined ? Number(holder.dataset.from) : text.s[2 * Number(holder.dataset.s)];
  const range = document.createRange();
  range.setStart(holder, 0);
  range.setEnd(node, offset);
  return base + pointsIn(range.cloneContents());
}

function pointsIn(fragment) {
  for (const hidden of fragment.querySelectorAll(".cu-hidden")) {
    hidden.replaceWith("x".repeat(Number(hidden.dataset.n)));
  }
  return codePoints(fragment.textContent);
}

/** Return the places on the page of a range of code points: one Range for each sentence or gap. */
function rangesOf(blockNode, start, end) {
  const text = texts.get(blockNode.cuText);
  const out = [];
  for (const holder of blockNode.querySelectorAll("[data-s],[data-from]")) {
    const base = holder.dataset.s === undefined ? Number(holder.dataset.from) : text.s[2 * Number(holder.dataset.s)];
    const range = rangeInside(holder, start - base, end - base);
    if (range) out.push(range);
  }
  return out;
}

function rangeInside(holder, start, end) {
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let seen = 0;
  let open = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const hidden = node.parentElement.closest(".cu-hidden");
    const length = hidden ? Number(hidden.dataset.n) : codePoints(node.data);
    if (seen + length > start && seen < end) {
      if (!open) range.setStart(node, hidden ? 0 : unitsOf(node.data, Math.max(0, start - seen)));
      open = true;
      range.setEnd(node, hidden ? node.data.length : unitsOf(node.data, Math.min(length, end - seen)));
    }
    seen += length;
  }
  return open ? range : null;
}

function unitsOf(string, points) {
  let units = 0;
  let left = points;
  for (const char of string) {
    if (left === 0) break;
    units += char.length;
    left -= 1;
  }
  return units;
}
