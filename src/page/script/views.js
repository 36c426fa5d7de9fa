// The views next to the list of APIServices: conflicts, the order of groups, an upgrade.

const VIEWS = { "": "APIServices", conflicts: "Conflicts", order: "Order", upgrade: "Upgrade" };

function drawViews(world) {
  put(byId("views"), Object.entries(VIEWS).map(([view, label]) =>
    el("button.chip.tab", { type: "button", "aria-pressed": String(state.view === view), on: { click: () => change({ view }) } }, label, view === "conflicts" && world.conflicts && [" ", el("b", {}, world.conflicts.conflicts.length)])));
  byId("view-services").hidden = state.view !== "";
  byId("view").hidden = state.view === "";
}

async function drawView(world) {
  drawViews(world);
  const draw = { conflicts: drawConflicts, order: drawOrder, upgrade: drawUpgrade }[state.view];
  if (!draw) return put(byId("view"));
  const asked = address(state);
  const found = await draw(world).catch((error) => [el("h2", {}, VIEWS[state.view]), sorry(error)]);
  if (address(state) === asked) put(byId("view"), found);
}

const assumed = (answer) => answer.assumptions.map((one) => el("p.faint", {}, `assumed: ${one}`));

async function drawConflicts(world) {
  const found = world.conflicts ?? (await ask("conflicts", ...without()));
  const candidate = (one) => el("span", {}, name(`${one.resource}.${one.version}${one.group ? `.${one.group}` : ""}`));
  return [
    el("h2", {}, "Conflicts"),
    found.conflicts.length === 0 && el("p", {}, "No conflicting group versions or names were found."),
    found.conflicts.map((one) =>
      el("section.card", {}, el("h3", {}, name(one.over), " ", el("code", {}, one.code)), el("ul", {}, one.parties.map((party) => el("li", {}, name(party)))), el("p", {}, one.outcome), one.next && el("p.faint", {}, one.next), one.command && command(one.command))),
    found.names.length > 0 && [
      el("h3", {}, "Names with several resources"),
      el("div.scroll", { tabindex: 0 }, el("table", {}, el("thead", {}, el("tr", {}, ["Name", "kubectl uses", "Also claimed by", "Hidden"].map((one) => el("th", { scope: "col" }, one)))),
        el("tbody", {}, found.names.map((one) => el("tr", {}, el("td", {}, name(one.name)), el("td", {}, one.picked ? candidate(one.picked) : "–"), el("td", {}, one.others.map((other) => el("div", {}, candidate(other)))), el("td", {}, one.leftOut.map((other) => el("div", {}, candidate(other), ` (${other.reason})`)))))))),
    ],
    assumed(found),
  ];
}

async function drawOrder() {
  const found = await ask("order", ["form", state.form || "legacy"], ...without());
  const choice = el("select", { id: "form", on: { change: (event) => change({ form: event.target.value }) } }, Object.entries(FORMS).map(([form, label]) => el("option", { value: form, selected: form === found.form }, label)));
  return [
    el("div.heading", {}, el("h2", {}, "Order of groups and versions"), el("label", { for: "form" }, "Endpoint "), choice),
    el("p.faint", {}, "kubectl resolves an ambiguous name to the first group. The first version of a group is its preferred version."),
    el("div.scroll", { tabindex: 0 }, el("table", {}, el("thead", {}, el("tr", {}, ["#", "Group", "Priority", "Versions"].map((one) => el("th", { scope: "col" }, one)))),
      el("tbody", {}, found.groups.map((group, index) => el("tr", {}, el("td", {}, index + 1), el("td", {}, name(group.name || "core")), el("td", {}, group.priority ?? "–"), el("td", {}, group.versions.map((one, at) => [at > 0 && ", ", one.apiService ? opener(one.apiService, one.version) : one.version]))))))),
    assumed(found),
  ];
}

const WEIGHTS = { breaks: ["broken", "Breaks"], risks: ["warning", "Risks"], changes: ["odd", "Changes"], comes: ["healthy", "New"] };

async function drawUpgrade({ site }) {
  const targets = embedded ? site.upgrades.filter((to) => Object.hasOwn(embedded, `upgrade?to=${to}`)) : site.upgrades;
  if (targets.length === 0) return [el("h2", {}, "Upgrade"), el("p", {}, site.serverVersion ? "aggctl knows no newer version of Kubernetes." : "The source does not have the version of the API server.")];
  const to = targets.includes(state.to) ? state.to : targets.at(-1);
  const found = await ask("upgrade", ["to", to], ...without());
  const choice = el("select", { id: "to", on: { change: (event) => change({ to: event.target.value }) } }, targets.map((one) => el("option", { value: one, selected: one === to }, one)));
  const of = (weight) => found.findings.filter((one) => one.weight === weight);
  return [
    el("div.heading", {}, el("h2", {}, `Upgrade from ${found.from}`), el("label", { for: "to" }, "to "), choice),
    found.findings.length === 0 && el("p", {}, "Nothing changes."),
    Object.entries(WEIGHTS).map(([weight, [state, title]]) => of(weight).length > 0 && el("details.part", { open: weight !== "comes" }, el("summary", {}, el("h3", {}, title), " ", el("span.faint", {}, of(weight).length)),
      el("ul.findings", {}, of(weight).map((one) => el("li", {}, sign(state), el("div", {}, one.message, one.since && el("span.faint", {}, ` (since ${one.since})`), one.advice && el("p.faint", {}, one.advice))))))),
    assumed(found),
  ];
}
