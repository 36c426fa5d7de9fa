// What if: what is taken away, and what changes by it. And two sources side by side.

const diffParts = (answer) =>
  answer.parts.length === 0
    ? el("p.faint", {}, "no differences")
    : answer.parts.map((part) =>
        el("div.part", {}, el("h4", {}, part.title, " ", el("span.faint", {}, part.counts)), el("ul.diff", {}, part.lines.slice(0, 60).map((one) =>
          el("li", { class: { "+": "added", "-": "removed", "~": "changed" }[one.mark] }, el("span.mark", {}, one.mark), el("span", {}, name(one.subject), " ", el("span.faint", {}, one.detail))),
        ), part.lines.length > 60 && el("li.faint", {}, `and ${part.lines.length - 60} more`))),
      );

async function drawWhatIf(world) {
  const bar = byId("whatif");
  bar.hidden = state.without.length === 0;
  if (bar.hidden) return put(bar);
  const body = el("div", {}, el("p.faint", {}, "…"));
  put(
    bar,
    el("div.heading", {}, el("h2", {}, "As if gone"), state.without.map((one) => el("button.chip", { type: "button", "aria-label": `bring ${one} back`, on: { click: () => change({ without: toggled(state.without, one) }) } }, name(one), " ✕")),
      el("button.link", { type: "button", on: { click: () => change({ without: [] }) } }, "bring all back")),
    world.site.effects.map((effect) => el("p", {}, effect)),
    body,
  );
  const asked = address(state);
  const found = await ask("diff", ...without()).then((answer) => el("details", { open: true }, el("summary", {}, "What changes"), diffParts(answer)), sorry);
  if (address(state) === asked || bar.contains(body)) put(body, found);
}

async function drawComparison(world) {
  const section = byId("compare");
  section.hidden = !world.site.other;
  if (section.hidden) return;
  const found = await ask("diff", ["other", "1"], ...without()).catch((error) => error);
  if (found instanceof Error) return put(section, sorry(found));
  const side = (word, source) => el("div.side", {}, el("span.faint", {}, word), " ", el("b", {}, `${source.kind} `, name(source.name)));
  put(section, el("h2", {}, "Side by side"), el("div.two", {}, side("from", found.from), side("to", found.to)), diffParts(found), found.assumptions.map((one) => el("p.faint", {}, `assumed: ${one}`)));
}
