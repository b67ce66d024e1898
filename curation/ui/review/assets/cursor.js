// The reading cursor: one sentence of one block, or some words of it, or a mouse selection.

class Cursor {
  constructor() {
    this.block = null;
    this.sentence = 0;
    this.words = null; // {anchor, head}: indices of words
    this.range = null; // [start, end]: a mouse selection, snapped
  }

  /** Stand on a sentence. */
  stand(block, sentence) {
    this.block = block;
    this.sentence = sentence;
    this.words = null;
    this.range = null;
  }

  /** Return what a pick would take: block, start and end in code points. */
  pick(blocks) {
    const block = blocks.get(this.block);
    const text = block && texts.get(block.text);
    if (!text || sentenceCount(text) === 0) return null;
    const [start, end] = this.span(text);
    return { block: this.block, start, end, mode: this.mode };
  }

  get mode() {
    if (this.range) return "mouse";
    return this.words ? "words" : "sentence";
  }

  span(text) {
    if (this.range) return this.range;
    if (this.words) {
      const first = Math.min(this.words.anchor, this.words.head);
      const last = Math.max(this.words.anchor, this.words.head);
      return [text.w[2 * first], text.w[2 * last + 1]];
    }
    return sentenceBounds(text, Math.min(this.sentence, sentenceCount(text) - 1));
  }

  /** Narrow to a word, go to the next one, or extend by one. */
  moveWord(block, step, extend) {
    const text = texts.get(block.text);
    if (!text) return;
    const bounds = wordsWithin(text, ...sentenceBounds(text, this.sentence));
    if (!bounds) return;
    const [first, last] = bounds;
    const keep = (index) => Math.max(first, Math.min(last, index));
    if (this.range) {
      const inside = wordsWithin(text, ...this.range);
      this.words = inside ? { anchor: keep(inside[0]), head: keep(inside[1]) } : null;
      this.range = null;
    }
    if (!this.words) {
      const telling = step > 0 && !extend ? tellingWord(block, text, first, last) : null;
      const at = telling === null ? (step > 0 ? first : last) : telling;
      this.words = { anchor: at, head: at };
    } else if (extend) {
      this.words = { anchor: this.words.anchor, head: keep(this.words.head + step) };
    } else {
      const edge = step > 0 ? Math.max(this.words.anchor, this.words.head) : Math.min(this.words.anchor, this.words.head);
      const at = keep(edge + step);
      this.words = { anchor: at, head: at };
    }
  }

  widen() {
    const narrow = Boolean(this.words || this.range);
    this.words = null;
    this.range = null;
    return narrow;
  }
}

/** Return the first word that differs between versions, where a sentence has one. */
function tellingWord(block, text, first, last) {
  const differing = (block.marks || []).filter((mark) => mark[2] === "differs");
  for (let i = first; i <= last; i += 1) {
    if (differing.some((mark) => mark[0] < text.w[2 * i + 1] && mark[1] > text.w[2 * i])) return i;
  }
  return null;
}

/** Return the blocks that words can be picked from, in reading order. */
function blocksOf(data) {
  if (data.kind === "nothing") return [];
  const chunk = (item) => [item.block, ...item.under.map((other) => other.block)];
  return [
    ...(data.answer.text ? [data.answer.text] : []),
    ...data.answer.user.map((signal) => signal.block).filter(Boolean),
    ...data.chunks.search.hits.flatMap(chunk),
    ...data.chunks.items.flatMap(chunk),
  ];
}

/** Return every place the cursor can stand on, in reading order. */
function cursorPath(blocks, unfolded) {
  const path = [];
  for (const block of blocks.values()) {
    const text = texts.get(block.text);
    if (!text || !block.walk) continue;
    for (const sentence of shownSentences(block, text, unfolded.has(block.key), null)) {
      path.push({ block: block.key, sentence });
    }
  }
  return path;
}

/** Return the place a number of steps away, kept inside the path. */
function stepFrom(path, blocks, cursor, step) {
  if (!path.length) return null;
  const at = path.findIndex((place) => place.block === cursor.block && place.sentence === cursor.sentence);
  if (at >= 0) return path[Math.max(0, Math.min(path.length - 1, at + step))];
  const order = [...blocks.keys()];
  const rank = (place) => order.indexOf(place.block) * 1e6 + place.sentence;
  const mine = rank({ block: cursor.block, sentence: cursor.sentence });
  const after = path.findIndex((place) => rank(place) > mine);
  if (step > 0) return path[after < 0 ? path.length - 1 : after];
  return path[Math.max(0, (after < 0 ? path.length : after) - 1)];
}

/** Return the first place of the next or the previous block. */
function stepBlock(path, blocks, cursor, step) {
  const order = [...blocks.keys()].filter((key) => path.some((place) => place.block === key));
  const at = order.indexOf(cursor.block);
  const key = order[Math.max(0, Math.min(order.length - 1, at + step))];
  return path.find((place) => place.block === key) || null;
}

/** Show the words that the cursor is narrowed to, without touching the text. */
function paintWords(root, cursor, blocks) {
  if (typeof CSS === "undefined" || !CSS.highlights) return;
  CSS.highlights.delete("cu-words");
  if (!cursor.words && !cursor.range) return;
  const node = blockNode(root, cursor.block);
  const pick = cursor.pick(blocks);
  if (!node || !pick) return;
  CSS.highlights.set("cu-words", new Highlight(...rangesOf(node, pick.start, pick.end)));
}

function blockNode(root, key) {
  for (const node of root.querySelectorAll("[data-block]")) {
    if (node.dataset.block === key) return node;
  }
  return null;
}

/** Return the mouse selection as a snapped range of one block; null when there is none. */
function mouseSelection(root, blocks) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
  const range = selection.getRangeAt(0);
  const start = range.startContainer;
  const holder = (start.nodeType === Node.TEXT_NODE ? start.parentElement : start).closest("[data-block]");
  if (!holder || !root.contains(holder) || !holder.contains(range.endContainer)) return null;
  const block = blocks.get(holder.dataset.block);
  const text = block && texts.get(block.text);
  if (!text) return null;
  const from = offsetOf(holder, range.startContainer, range.startOffset);
  const to = offsetOf(holder, range.endContainer, range.endOffset);
  if (from === null || to === null || from >= to) return null;
  const bounds = snapped(text, from, to);
  return bounds ? { block: block.key, range: bounds, rect: range.getBoundingClientRect() } : null;
}
