// What surrounds the panes: header line, key line, checks, action bar, panels, messages.

function drawHeader(data) {
  const header = data.header;
  return h(
    "div",
    { class: "cu-header", key: "header", role: "region", "aria-label": "This review" },
    h(
      "p",
      { class: "cu-left" },
      header.left.map((item, i) => [i ? " · " : null, item.strong ? h("strong", {}, item.text) : item.text]),
    ),
    header.frozen ? h("p", { class: "cu-frozen" }, header.frozen) : null,
    h("p", { class: "cu-right" }, header.right.map((item, i) => [i ? " · " : null, h("span", { class: `cu-h-${item.kind}` }, item.text)])),
  );
}

/** What keeps or threatens the hold, at once visible and with what can be done. */
function drawNotice(data, ui) {
  const notice = ui.notice || data.notice;
  if (!notice) return null;
  return h(
    "div",
    { class: `cu-notice ${notice.urgent ? "cu-urgent" : ""}`, key: "notice", role: notice.urgent ? "alert" : "status" },
    h("span", {}, notice.text),
    (notice.acts || []).map((act) => button(act.label, () => ui.noticeAct(act), { class: "cu-small", key: act.act })),
  );
}

function drawKeyLine(data, ui) {
  return h(
    "div",
    { class: "cu-keyline", key: "keyline", role: "region", "aria-label": "Keys" },
    data.keyline.map((item) =>
      h("span", { class: `cu-keyhint ${item.key.length > 5 ? "cu-long" : ""}`, key: item.text }, keycap(item.key), ` ${item.text}`),
    ),
    h("button", { type: "button", class: "cu-fold cu-keyhint", key: "all", onclick: () => ui.run("help") }, keycap("?"), " all keys"),
  );
}

function drawChecks(data, ui) {
  const checks = data.checks;
  return region(
    "checks",
    "Checks",
    {},
    h("h2", { class: "cu-heading", key: "heading" }, "Checks", h("span", { class: "cu-count" }, ` · ${checks.summary}`)),
    h(
      "ul",
      { class: "cu-lines", key: "lines" },
      checks.lines.map((line) =>
        h(
          "li",
          { class: `cu-check cu-check-${line.level}`, key: line.key },
          h("span", { class: "cu-checktext" }, h("b", {}, `${line.glyph} ${line.word}`), line.word ? " " : null, line.text),
          line.repair
            ? button([line.repair.label, " ", line.repair.key ? keycap(line.repair.key) : null], () => ui.repair(line.repair), {
                class: "cu-small",
                disabled: ui.locked,
              })
            : line.hint
              ? keycap(line.hint)
              : null,
          line.why ? drawField(line.why, ui) : null,
        ),
      ),
    ),
  );
}

function drawBar(data, ui) {
  const bar = data.bar;
  return h(
    "div",
    { class: "cu-bar", key: "bar", role: "region", "aria-label": "Verdict" },
    h(
      "div",
      { class: "cu-buttons" },
      bar.buttons.map((item) =>
        h(
          "button",
          {
            type: "button",
            key: item.act,
            class: `cu-button ${item.primary ? "cu-primary" : ""} ${item.plain ? "cu-plain" : ""}`,
            disabled: ui.locked && !item.always,
            onclick: () => ui.run(item.act),
          },
          `${item.label} `,
          keycap(item.key),
        ),
      ),
    ),
    h(
      "div",
      { class: "cu-said" },
      h("p", { class: `cu-first cu-first-${bar.first.kind}`, key: "first", title: bar.first.text }, bar.first.text),
      data.message
        ? h(
            "p",
            { class: `cu-message cu-message-${data.message.kind}`, key: "message", title: data.message.text },
            data.message.text,
          )
        : null,
    ),
  );
}

function drawPanel(data, ui) {
  const panel = data.panel;
  if (!panel) return null;
  return h(
    "div",
    { class: "cu-panel", key: `panel-${panel.kind}`, role: "region", "aria-label": panel.title },
    heading(panel.title),
    panel.kind === "duplicate" ? drawDuplicates(panel, ui) : drawNotActionable(panel, ui),
  );
}

function drawDuplicates(panel, ui) {
  return [
    h("p", { class: "cu-note", key: "failed" }, panel.failed),
    panel.cases.map((item) =>
      h(
        "div",
        { class: "cu-candidate", key: item.id },
        h("p", {}, h("strong", {}, item.id), ` · ${item.match}`),
        drawBlock(item.question, blockOptions(ui)),
        button(item.label, () => ui.act("duplicate_of", { id: item.id }), {}),
        item.change
          ? button(`Open change ${item.change}`, () => ui.act("go", { page: `changes:${item.change}` }), {})
          : button(`Edit ${item.id} instead`, () => ui.act("edit_case", { id: item.id }), {}),
      ),
    ),
    panel.note ? h("p", { class: "cu-note", key: "note" }, panel.note) : null,
    h(
      "form",
      {
        class: "cu-line",
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          ui.act("duplicate_search", { query: ui.entry("duplicate") });
        },
      },
      h("input", {
        class: "cu-input",
        type: "text",
        "data-entry": "duplicate",
        "aria-label": "Search the golden set",
        placeholder: "Type to search the golden set, Enter searches",
        autocomplete: "off",
      }),
      button("Close", () => ui.act("close_panel", {}), {}),
    ),
  ];
}

function drawNotActionable(panel, ui) {
  return [
    h(
      "form",
      {
        class: "cu-line",
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          ui.act("dismiss_not_actionable", { reason: ui.entry("reason") });
        },
      },
      h("input", {
        class: "cu-input",
        type: "text",
        "data-entry": "reason",
        "aria-label": "Why it is not actionable",
        placeholder: "One line of why, Enter dismisses",
        value: ui.reason,
        oninput: (event) => {
          ui.reason = event.target.value;
        },
        autocomplete: "off",
      }),
      h("button", { type: "submit", class: "cu-button" }, "Dismiss as not actionable"),
      button("Close", () => ui.act("close_panel", {}), {}),
    ),
    h(
      "div",
      { class: "cu-offers", key: "offers" },
      panel.offers.map((offer) =>
        button(offer, () => ui.act("dismiss_not_actionable", { reason: offer }), { class: "cu-small", key: offer }),
      ),
    ),
  ];
}

/** Every key of the page, in groups. */
function drawHelp(data, ui) {
  if (!ui.open.help) return null;
  return h(
    "div",
    { class: "cu-help", key: "help", role: "dialog", "aria-label": "Keys", tabindex: -1, "data-entry-focus": "help" },
    h("div", { class: "cu-line" }, heading("Keys"), button(["Close ", keycap("Esc")], () => ui.closeHelp(), { class: "cu-small" })),
    h(
      "dl",
      { class: "cu-keys" },
      data.keys
        .filter((key) => key.about)
        .map((key) => h("div", { key: `${key.act}-${key.press}` }, h("dt", {}, keycap(key.shown)), h("dd", {}, key.about))),
    ),
    h("p", { class: "cu-note" }, "Keys act while no field has focus. Esc leaves a field and saves it; Ctrl+Enter acts in fields too."),
  );
}

/** The page when there is nothing to review: one sentence, and where to go. */
function drawEmpty(data, ui) {
  return h(
    "div",
    { class: "cu-nothing", key: "nothing", role: "region", "aria-label": "Review" },
    h("h1", { class: "cu-h1" }, data.nothing.text),
    h(
      "div",
      { class: "cu-offers" },
      data.nothing.acts.map((act) =>
        button([act.label, " ", act.key ? keycap(act.key) : null], () => ui.noticeAct(act), { key: act.act, class: act.primary ? "cu-primary" : "" }),
      ),
    ),
    data.message ? h("p", { class: `cu-message cu-message-${data.message.kind}` }, data.message.text) : null,
  );
}

/** Live regions: their text changes, the reader's software speaks. */
function drawSaying(ui) {
  return h(
    "div",
    { class: "cu-sr", key: "saying" },
    h("div", { role: "status", "aria-live": "polite" }, ui.said.polite),
    h("div", { role: "alert", "aria-live": "assertive" }, ui.said.urgent),
  );
}
