// The case pane: the fields in their order, facts, evidence, where it failed, details.

function drawCase(data, ui) {
  const part = data.case;
  return region(
    "case",
    part.label,
    {},
    part.title ? h("p", { class: "cu-note", key: "title" }, part.title) : null,
    drawAnswerable(part.answerable, ui),
    drawField(part.reference, ui),
    part.extra ? drawField(part.extra, ui) : null,
    drawFacts(part.facts, ui),
    drawEvidence(part.evidence, ui),
    drawFailure(part.failure, ui),
    drawDetails(part.details, ui),
  );
}

function drawAnswerable(choice, ui) {
  return h(
    "div",
    { key: "answerable" },
    h("h2", { class: "cu-heading", id: "cu-answerable" }, choice.label),
    h(
      "div",
      { class: "cu-choices", role: "group", "aria-labelledby": "cu-answerable" },
      choice.choices.map((item) =>
        h(
          "button",
          {
            type: "button",
            key: item.value,
            class: `cu-choice ${item.on ? "cu-on" : ""}`,
            "aria-pressed": item.on ? "true" : "false",
            disabled: ui.locked,
            title: item.about,
            onclick: () => ui.act("answerable", { value: item.value }),
          },
          keycap(item.key),
          ` ${item.on ? "✓ " : ""}${item.label}`,
        ),
      ),
    ),
    choice.old ? h("p", { class: "cu-old" }, choice.old) : null,
  );
}

/** A labelled field with what belongs beneath it: its old value, a note, hidden characters. */
function drawField(field, ui) {
  const id = `cu-f-${field.id.replace(/[^A-Za-z0-9_-]/g, "-")}`;
  const beneath = [
    field.old ? h("p", { class: "cu-old", key: "old" }, field.old) : null,
    field.hidden ? h("p", { class: "cu-problem", key: "hidden" }, field.hidden) : null,
    field.note ? h("p", { class: "cu-note", key: "fieldnote" }, field.note) : null,
  ];
  const label = h(
    "label",
    { class: field.quiet ? "cu-sr" : "cu-heading", for: id, key: "label" },
    field.label,
    field.key ? [" ", keycap(field.key)] : null,
  );
  return h("div", { class: "cu-field", key: `field-${field.id}` }, label, drawInput(field, id, ui), beneath);
}

function drawInput(field, id, ui) {
  const common = {
    id,
    field: { ...field, locked: field.locked || ui.locked },
    key: "input",
    "data-field": field.id,
    placeholder: field.placeholder || null,
    "aria-invalid": field.bad ? "true" : null,
  };
  if (field.kind === "select") {
    return h(
      "select",
      { ...common, class: "cu-input" },
      field.options.map((option) => h("option", { value: option.value, key: option.value }, option.label)),
    );
  }
  if (field.kind === "area") return drawArea(field, common);
  if (field.kind === "line") return drawLine(common);
  return h("input", {
    ...common,
    class: "cu-input",
    type: "text",
    inputmode: field.kind === "number" ? "decimal" : null,
    dir: "auto",
    autocomplete: "off",
  });
}

/** One line that grows with its words instead of hiding their end; it holds no line ends. */
function drawLine(common) {
  return h("textarea", {
    ...common,
    class: "cu-input cu-growing",
    rows: 1,
    dir: "auto",
    ref: grow,
    onkeydown: (event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && event.preventDefault(),
    oninput: (event) => {
      if (/[\r\n]/.test(event.target.value)) event.target.value = event.target.value.replace(/[\r\n]+/g, " ");
    },
  });
}

/** A text area with the marks of the last check drawn behind its text. */
function drawArea(field, common) {
  const area = h("textarea", {
    ...common,
    class: "cu-input cu-area",
    rows: field.rows || 3,
    dir: "auto",
    onscroll: (event) => mirrorScroll(event.target),
    oninput: (event) => mirrorStale(event.target),
  });
  const text = field.marks && field.marks.length ? texts.get(field.text) : null;
  const marked = text ? h("div", { class: "cu-mirror", "aria-hidden": "true", dir: "auto", key: "mirror" }, runs(text, 0, text.n, field.marks)) : null;
  return h("div", { class: "cu-areabox", key: "box", ref: mirrorFresh }, marked, area);
}

function mirrorScroll(area) {
  const mirror = area.parentElement.querySelector(".cu-mirror");
  if (mirror) mirror.scrollTop = area.scrollTop;
}

/** Marks belong to the text that was checked: typing hides them until the next check. */
function mirrorStale(area) {
  area.parentElement.classList.add("cu-stale");
}

function mirrorFresh(box) {
  const area = box.querySelector("textarea");
  const mirror = box.querySelector(".cu-mirror");
  if (!area || !mirror) return;
  box.classList.toggle("cu-stale", mirror.textContent !== area.value);
  mirror.scrollTop = area.scrollTop;
}

function drawFacts(facts, ui) {
  return h(
    "div",
    { key: "facts", class: "cu-group" },
    heading("Facts", h("span", { class: "cu-count" }, ` · ${facts.summary}`)),
    facts.groups.map((group) =>
      h(
        "div",
        { class: `cu-facts cu-facts-${group.kind}`, key: group.kind, role: "group", "aria-label": group.title },
        h("h3", { class: "cu-kind" }, `${group.glyph} ${group.title}`),
        group.rows.map((row) => drawFact(row, ui)),
      ),
    ),
    h(
      "form",
      {
        class: "cu-line",
        key: "newfact",
        onsubmit: (event) => {
          event.preventDefault();
          ui.addFact();
        },
      },
      h("input", {
        class: "cu-input",
        type: "text",
        "data-entry": "fact",
        "aria-label": "Type a fact",
        placeholder: "Type a fact, Enter adds it as required",
        autocomplete: "off",
        dir: "auto",
        readonly: ui.locked,
      }),
    ),
    facts.note ? h("p", { class: "cu-note" }, facts.note) : null,
  );
}

function drawFact(row, ui) {
  return h(
    "div",
    { class: `cu-fact ${row.touched ? "cu-touched" : ""}`, key: row.id },
    h(
      "div",
      { class: "cu-line" },
      drawField(row.field, ui),
      drawMenu(`fact-${row.id}`, `More for ${row.name}`, row.menu, ui),
    ),
    row.wordings.map((wording) =>
      h(
        "div",
        { class: "cu-line cu-wording", key: wording.field.id },
        h("span", { class: "cu-or" }, "or"),
        drawField(wording.field, ui),
        button("✕", () => ui.act(wording.remove.act, wording.remove.args), {
          class: "cu-icon",
          "aria-label": "Remove this wording",
          disabled: ui.locked,
        }),
      ),
    ),
    drawStatus(row.status),
    row.problem ? drawProblem(row.problem, ui) : null,
  );
}

function drawStatus(status) {
  return h(
    "p",
    { class: "cu-status", key: "status" },
    status.map((item, i) => [i ? " · " : null, h("span", { class: `cu-state cu-state-${item.kind}` }, item.text)]),
  );
}

function drawProblem(problem, ui) {
  return h(
    "p",
    { class: "cu-problem", key: "problem" },
    `${problem.glyph} ${problem.text} `,
    problem.act
      ? button([problem.label, " ", keycap(problem.key)], () => ui.act(problem.act, problem.args), { class: "cu-small" })
      : null,
  );
}

/** A small menu of acts; its button says what it is for. */
function drawMenu(id, label, items, ui) {
  if (!items.length) return null;
  const open = ui.open.menu === id;
  return h(
    "div",
    { class: "cu-menu", key: `menu-${id}` },
    button("⋯", () => ui.toggleMenu(id), {
      class: "cu-icon",
      "aria-label": label,
      "aria-haspopup": "menu",
      "aria-expanded": open ? "true" : "false",
      disabled: ui.locked,
      "data-menu": id,
    }),
    open
      ? h(
          "div",
          { class: "cu-items", role: "menu", "aria-label": label, onkeydown: (event) => ui.menuKey(event) },
          items.map((item, i) =>
            h(
              "button",
              {
                type: "button",
                class: "cu-item",
                role: item.on === undefined ? "menuitem" : "menuitemcheckbox",
                "aria-checked": item.on === undefined ? null : item.on ? "true" : "false",
                key: `item${i}`,
                tabindex: -1,
                onclick: () => ui.chooseItem(id, item),
              },
              item.on === undefined ? null : item.on ? "✓ " : "\u2007 ",
              item.label,
            ),
          ),
        )
      : null,
  );
}

function drawEvidence(evidence, ui) {
  return h(
    "div",
    { key: "evidence", class: "cu-group" },
    heading("Evidence", h("span", { class: "cu-count" }, ` · ${evidence.summary} `)),
    evidence.rows.map((row) =>
      h(
        "div",
        { class: "cu-evidence", key: row.key },
        h(
          "p",
          { class: "cu-where" },
          row.where.map((part, i) => [i ? " · " : null, part]),
          row.tags.map((text) => [" ", tag(text, "plain")]),
        ),
        row.quotes.map((quote) =>
          h(
            "div",
            { class: "cu-line cu-quoteline", key: quote.id },
            h("div", { class: "cu-quote" }, quote.block ? drawBlock(quote.block, blockOptions(ui)) : h("p", { class: "cu-note" }, "the whole chunk, no words quoted")),
            drawMenu(`evidence-${quote.id}`, `More for evidence ${quote.id}`, quote.menu, ui),
            button("✕", () => ui.act("evidence_remove", { id: quote.id }), {
              class: "cu-icon",
              "aria-label": `Remove evidence ${quote.id}`,
              disabled: ui.locked,
            }),
          ),
        ),
      ),
    ),
    button(["Search the corpus ", keycap("/")], () => ui.run("search"), { class: "cu-small", disabled: ui.locked }),
    evidence.note ? h("p", { class: "cu-note" }, evidence.note) : null,
  );
}

function drawFailure(failure, ui) {
  const open = ui.open.failure;
  return h(
    "div",
    { key: "failure", class: "cu-group" },
    h(
      "p",
      { class: "cu-failure" },
      h("strong", {}, "Where it failed"),
      ` · ${failure.lead} `,
      failure.category ? h("strong", {}, failure.category) : null,
      failure.stage ? ` (fix: ${failure.stage})` : null,
      failure.because ? `, because ${failure.because}` : null,
      " · ",
      h(
        "button",
        {
          type: "button",
          class: "cu-button cu-small",
          "aria-expanded": open ? "true" : "false",
          disabled: ui.locked,
          onclick: () => ui.run("failure"),
        },
        keycap("F"),
        " other",
      ),
    ),
    open
      ? h(
          "div",
          { class: "cu-options", role: "group", "aria-label": "Where it failed", onkeydown: (event) => ui.menuKey(event) },
          failure.choices.map((choice) =>
            h(
              "button",
              {
                type: "button",
                class: `cu-item ${choice.on ? "cu-on" : ""}`,
                "aria-pressed": choice.on ? "true" : "false",
                key: choice.value || "proposed",
                onclick: () => ui.chooseFailure(choice.value),
              },
              `${choice.on ? "✓ " : "\u2007 "}${choice.label}`,
            ),
          ),
        )
      : null,
    failure.why ? drawField(failure.why, ui) : null,
  );
}

function drawDetails(details, ui) {
  const open = ui.open.details;
  return h(
    "div",
    { key: "details", class: "cu-group" },
    h(
      "button",
      {
        type: "button",
        class: "cu-fold cu-wide",
        "data-fold": "details",
        "aria-expanded": open ? "true" : "false",
        onclick: () => ui.run("details"),
      },
      `${open ? "▾" : "▸"} Details: ${details.summary} `,
      keycap("T"),
    ),
    open
      ? details.fields.map((field) =>
          field.kind === "static"
            ? h("p", { class: "cu-static", key: `field-${field.id}` }, h("strong", {}, field.label), ` ${field.value}`)
            : drawField(field, ui),
        )
      : null,
  );
}
