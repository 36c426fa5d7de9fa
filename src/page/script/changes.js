// What if: what is removed, and what changes then. And two sources side by side.

const MAX_LINES = 60;

// The parts of a comparison, each of them collapsible. `level` is the heading's.
const diffParts = (answer, level) =>
  answer.parts.length === 0
    ? el("p.faint", {}, "No differences")
    : answer.parts.map((part) =>
        el("details.part", { open: true }, el("summary", {}, el(level, {}, part.title), " ", el("span.faint", {}, part.counts)), el("ul.diff", {}, part.lines.slice(0, MAX_LINES).map((one) =>
          el("li", { class: { "+": "added", "-": "removed", "~": "changed" }[one.mark] }, el("span.mark", {}, one.mark), el("span", {}, name(one.subject), " ", el("span.faint", {}, one.detail))),
        ), part.lines.length > MAX_LINES && el("li.faint", {}, `and ${part.lines.length - MAX_LINES} more`))),
      );

async function drawWhatIf(world) {
  const bar = byId("whatif");
  bar.hidden = state.without.length === 0;
  if (bar.hidden) return put(bar);
  const body = el("div", {}, el("p.faint", {}, "…"));
  put(
    bar,
    el("div.heading", {}, el("h2", {}, "What if removed"), state.without.map((one) => el("button.chip", { type: "button", "aria-label": `Restore ${one}`, on: { click: () => change({ without: toggled(state.without, one) }) } }, name(one), " ✕")),
      el("button.link", { type: "button", on: { click: () => change({ without: [] }) } }, "Restore all")),
    world.site.effects.map((effect) => el("p", {}, effect)),
    body,
  );
  const asked = address(state);
  const found = await ask("diff", ...without()).then((answer) => diffParts(answer, "h3"), sorry);
  if (address(state) === asked || bar.contains(body)) put(body, found);
}

async function drawComparison(world) {
  const section = byId("compare");
  section.hidden = !world.site.other;
  if (section.hidden) return;
  const found = await ask("diff", ["other", "1"], ...without()).catch((error) => error);
  if (found instanceof Error) return put(section, sorry(found));
  const side = (word, source) => el("div.side", {}, el("span.faint", {}, word), " ", el("b", {}, `${source.kind} `, name(source.name)));
  put(section, el("details", { open: true }, el("summary", {}, el("h2", {}, "Side by side")), el("div.two", {}, side("from", found.from), side("to", found.to)), diffParts(found, "h3"), found.assumptions.map((one) => el("p.faint", {}, `assumed: ${one}`))));
}

// What -f and --without changed before the page was made.
function drawBanner({ site }) {
  const { applied, removed, effects } = site;
  const list = (names) => names.flatMap((one, index) => [index > 0 && ", ", el("code", {}, name(one))]);
  byId("banner").hidden = applied.length + removed.length === 0;
  put(
    byId("banner"),
    el("p", {}, el("b", {}, "What if: "), "this page shows the source ", applied.length > 0 && ["with ", list(applied), " applied"], applied.length > 0 && removed.length > 0 && " and ", removed.length > 0 && ["without ", list(removed)], ". Nothing was changed in the cluster."),
    effects.length > 0 && el("ul", {}, effects.map((one) => el("li", {}, one))),
    site.other && el("p", {}, el("a.link", { href: "#compare", on: { click: (event) => (event.preventDefault(), reveal(byId("compare"), true)) } }, "Show what differs")),
  );
}

// What the source lacks, so that an answer may be wrong.
function drawMissing({ site, doctor }) {
  const missing = missingInput({ site, doctor });
  byId("incomplete").hidden = missing.length === 0;
  put(byId("incomplete"), el("p", {}, el("b", {}, "The input is incomplete. "), "Answers may be less precise."), el("ul", {}, missing.map((one) => el("li", {}, one))));
}

const missingInput = ({ site, doctor }) => [...new Set([...site.assumptions, ...doctor.assumptions])];
