// The answer pane and the chunk pane.

function region(name, label, props, ...kids) {
  return h("section", { class: `cu-pane cu-${name}`, "aria-label": label, key: name, ...props }, ...kids);
}

function heading(text, ...more) {
  return h("h2", { class: "cu-heading" }, text, ...more);
}

function tag(text, kind, title) {
  return h("span", { class: `cu-tag ${kind ? `cu-tag-${kind}` : ""}`, title: title || null }, text);
}

function blockOptions(ui) {
  return { cursor: ui.cursor, unfolded: ui.unfolded, unfold: (key) => ui.unfold(key) };
}

/** The question, earlier turns, the logged answer, what the user did, the judge. */
function drawAnswer(data, ui) {
  const answer = data.answer;
  return region(
    "answer",
    "Question and answer",
    { tabindex: 0, "data-scrolls": true },
    h(
      "div",
      { class: "cu-question", key: "question" },
      drawTurnsFold(answer, ui),
      heading("Question"),
      h("h1", { class: "cu-h1" }, drawBlock(answer.question, blockOptions(ui))),
    ),
    drawTurns(answer, ui),
    heading("Logged answer ", answer.badge ? tag(answer.badge.text, answer.badge.kind) : null),
    answer.note ? h("p", { class: "cu-note" }, answer.note) : null,
    answer.text ? drawBlock(answer.text, blockOptions(ui)) : null,
    drawLegend(answer.legend),
    answer.user.length ? heading("What the user did") : null,
    h(
      "ul",
      { class: "cu-user", key: "user" },
      answer.user.map((signal) =>
        h(
          "li",
          { key: signal.key },
          h("strong", {}, signal.label, signal.block ? ": " : ""),
          signal.block ? drawBlock(signal.block, blockOptions(ui)) : null,
        ),
      ),
    ),
    drawJudge(answer.judge),
  );
}

const FEW_TURNS = 2;

function drawTurnsFold(answer, ui) {
  const count = answer.turns.length;
  if (count <= FEW_TURNS) return null;
  return h(
    "button",
    {
      type: "button",
      class: "cu-fold",
      key: "fold",
      "aria-expanded": ui.open.turns ? "true" : "false",
      onclick: () => ui.local("turns"),
    },
    `${ui.open.turns ? "▾" : "▸"} ${count} earlier turns `,
    keycap("P"),
  );
}

/** Earlier turns stand beneath the question, which stays at the top. */
function drawTurns(answer, ui) {
  const turns = answer.turns;
  if (!turns.length || (turns.length > FEW_TURNS && !ui.open.turns)) return null;
  return h(
    "div",
    { class: "cu-turns", key: "turns" },
    heading("Earlier turns"),
    turns.map((turn, i) =>
      h(
        "div",
        { class: "cu-turn", key: `turn${i}` },
        h("span", { class: "cu-role" }, turn.role),
        drawBlock(turn.block, blockOptions(ui)),
      ),
    ),
  );
}

function drawLegend(legend) {
  if (!legend.length) return null;
  return h(
    "p",
    { class: "cu-legend", key: "legend" },
    legend.map((item, i) => [i ? " · " : null, h("b", {}, item.glyph), ` ${item.text}`]),
  );
}

function drawJudge(judge) {
  return h(
    "div",
    { class: "cu-judge", key: "judge" },
    heading("Judge"),
    judge.text ? h("p", { class: "cu-note" }, judge.text) : null,
    judge.rows.length
      ? h(
          "table",
          { class: "cu-scores" },
          h(
            "tbody",
            {},
            judge.rows.map((row, i) =>
              h(
                "tr",
                { key: `score${i}` },
                h("th", { scope: "row" }, row.metric),
                h("td", { class: row.failed ? "cu-failed" : "cu-number" }, row.value),
                h("td", {}, row.reason),
              ),
            ),
          ),
        )
      : null,
  );
}

/** The retrieved chunks in rank order, the same passage of other versions, the search. */
function drawChunks(data, ui) {
  const chunks = data.chunks;
  const options = blockOptions(ui);
  return region(
    "chunks",
    "Retrieved chunks",
    { tabindex: 0, "data-home": true },
    drawSearch(chunks.search, ui, options),
    chunks.note ? h("p", { class: "cu-note cu-empty", key: "note" }, chunks.note) : null,
    chunks.items.map((chunk) => drawChunk(chunk, ui, options)),
    h("div", { class: "cu-tail", key: "tail" }),
  );
}

function drawSearch(search, ui, options) {
  if (!search.shown && !ui.open.search) return null;
  return h(
    "div",
    { class: "cu-search", key: "search", role: "group", "aria-label": "Search of the corpus" },
    h(
      "form",
      {
        class: "cu-line",
        onsubmit: (event) => {
          event.preventDefault();
          ui.search();
        },
      },
      h("input", {
        class: "cu-input",
        type: "text",
        "data-entry": "search",
        "aria-label": "Search the corpus",
        placeholder: "Search the corpus, Enter searches",
        autocomplete: "off",
        spellcheck: "false",
      }),
      h("button", { type: "submit", class: "cu-button" }, "Search"),
      button("Close", () => ui.closeSearch(), {}),
    ),
    search.said ? h("p", { class: "cu-note" }, search.said) : null,
    search.hits.map((chunk) => drawChunk(chunk, ui, options)),
  );
}

function drawChunk(chunk, ui, options) {
  return h(
    "article",
    { class: `cu-chunk ${chunk.nested ? "cu-nested" : ""}`, key: chunk.key, "aria-label": chunk.label },
    drawChunkHead(chunk, ui),
    chunk.guard ? drawGuard(chunk.guard) : null,
    chunk.problem ? h("p", { class: "cu-problem", key: "problem" }, chunk.problem) : null,
    drawBlock(chunk.block, options),
    (chunk.under || []).map((other) => drawChunk(other, ui, options)),
  );
}

function drawGuard(guard) {
  return h("p", { class: "cu-guard", role: "alert", key: "guard" }, guard);
}

function drawChunkHead(chunk, ui) {
  const versionKind = chunk.asked === "yes" ? "asked" : chunk.asked === "no" ? "other" : "";
  return h(
    "header",
    { class: "cu-head", key: "head" },
    chunk.lead ? h("strong", { class: "cu-lead" }, chunk.lead) : null,
    chunk.rank ? h("strong", { class: "cu-rank" }, chunk.rank) : null,
    chunk.score ? h("span", { class: "cu-score", title: "retrieval score" }, chunk.score) : null,
    chunk.version ? tag(chunk.version, versionKind) : null,
    chunk.tags.map((text) => tag(text, text === "not retrieved" ? "other" : "plain")),
    h(
      "span",
      { class: "cu-tools" },
      h("span", { class: "cu-name", title: chunk.title || chunk.name }, chunk.name),
      chunk.versions
        ? button(chunk.versions.label, () => ui.act("versions", { block: chunk.key }), {
            class: "cu-small",
            "aria-expanded": chunk.versions.open ? "true" : "false",
          })
        : null,
      chunk.pickable
        ? button(chunk.evidence ? "✓ Evidence" : "Use as evidence", () => ui.useEvidence(chunk.key), {
            class: `cu-small ${chunk.evidence ? "cu-on" : ""}`,
            "aria-pressed": chunk.evidence ? "true" : "false",
            disabled: ui.locked,
          })
        : null,
    ),
  );
}

/** The small bar at a mouse selection, with the same five actions as the keys. */
function drawPickBar(data, ui) {
  const bar = ui.pickBar;
  if (!bar || ui.locked) return null;
  return h(
    "div",
    {
      class: "cu-pickbar",
      key: "pickbar",
      role: "toolbar",
      "aria-label": "Use the selected words",
      style: `left:${Math.round(bar.x)}px;top:${Math.round(bar.y)}px`,
    },
    data.picks.map((pick) =>
      h(
        "button",
        {
          type: "button",
          class: "cu-button cu-small",
          key: pick.act,
          onmousedown: (event) => event.preventDefault(),
          onclick: () => ui.run(pick.act),
        },
        `${pick.glyph} ${pick.label} `,
        keycap(pick.key),
      ),
    ),
  );
}
