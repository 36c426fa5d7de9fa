// One APIService at length: doctor's walk, what hangs on it, its place in the orders, its manifests.

async function drawDetails(world) {
  const panel = byId("details");
  const service = world.services.find((one) => one.name === state.open);
  if (!state.open) return put(panel, overview(world));
  if (!service) return put(panel, heading(state.open), el("p", {}, state.without.includes(state.open) ? "It is taken away: see above what changes." : `no APIService "${state.open}" in the source`));
  const found = world.diagnoses.get(service.name);
  const later = (title, make) => {
    const body = el("div", { "aria-busy": "true" }, el("p.faint", {}, "…"));
    const show = (content) => put(body, content).removeAttribute("aria-busy");
    make().then(show, (error) => show(sorry(error)));
    return el("section", {}, el("h3", {}, title), body);
  };
  put(
    panel,
    heading(service.name, found),
    found ? diagnosis(found) : el("p.faint", {}, "It is not in the source, but follows from what is there."),
    later("What hangs on it", () => hanging(world, service, found)),
    later("Its place", () => ask("place", ["name", service.name], ...without()).then(orders)),
    later("Manifests", () => ask("manifests", ["name", service.name], ...without()).then(manifests)),
  );
}

const heading = (service, found) =>
  el("div.heading", {}, found && sign(found.verdict), el("h2", {}, name(service)), el("button.close", { type: "button", "aria-label": "Close", on: { click: () => change({ open: "" }) } }, "✕"));

function diagnosis(found) {
  return [
    el("p.message", { class: found.verdict }, found.message),
    el("p.faint", {}, found.service ? ["→ Service ", name(found.service), `, port ${found.port}`] : "served by the API server itself", found.belongsTo && ` · ${found.belongsTo.distribution}${found.belongsTo.component ? `, ${found.belongsTo.component}` : ""}`),
    found.links.length > 0 &&
      el("section", {}, el("h3", {}, "The walk of the API server"), el("ol.walk", {}, found.links.map((link) =>
        el("li", { class: link.state }, sign(link.state), el("span.link-name", {}, link.link), el("div", {}, link.message, link.evidence.map((one) => el("p.faint", {}, one)))),
      ))),
    found.condition &&
      el("section", {}, el("h3", {}, "Condition"), el("p", {}, el("code", {}, `Available=${found.condition.status}`), found.condition.reason && ` ${found.condition.reason}`, found.condition.since && el("span.faint", {}, ` since ${found.condition.since}`)),
        found.condition.message && el("p.quote", {}, found.condition.message), found.condition.contradiction && el("p.warning", {}, sign("warning"), " ", found.condition.contradiction)),
    found.findings.map((one) => el("p.finding", {}, sign(one.severity === "info" ? "unknown" : "warning"), " ", one.message, one.reason && el("span.faint", {}, ` ${one.reason}`))),
    found.next.length > 0 && el("section", {}, el("h3", {}, "What to do"), el("ul.next", {}, found.next.map((one) => el("li", {}, one.message, one.commands.map((command) => el("code.command", { tabindex: 0 }, command)))))),
    found.writtenBy.length > 0 && el("p.faint", {}, "written by ", found.writtenBy.map((one) => `${one.field ? `${one.field}: ` : ""}${one.by}${one.time ? ` (${one.time})` : ""}`).join("; ")),
  ];
}

// What is lost with it: consequences, its paths, and what would change without it.
async function hanging(world, { name: service, group, version }, found) {
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const paths = world.paths.filter((path) => path.startsWith(`${root}/`));
  const consequences = el("ul", {}, found?.consequences.map((one) => el("li", {}, one.certain ? "" : "Possibly: ", one.message)));
  const links = paths.slice(0, 40).map((path) => el("button.chip", { type: "button", on: { click: () => change({ request: path }) } }, path.slice(root.length + 1)));
  const parts = [consequences, links.length > 0 && el("p.chips", {}, links, paths.length > links.length && ` and ${paths.length - links.length} more`)];
  if (state.without.includes(service)) return parts;
  const gone = await ask("diff", ...without(), ["without", service]).catch((error) => (embedded ? null : Promise.reject(error)));
  return gone ? [...parts, el("details", { open: true }, el("summary", {}, "Without it"), diffParts(gone))] : parts;
}

const FORMS = { legacy: "GET /apis", aggregated: "GET /apis, aggregated" };

const orders = (answer) =>
  answer.orders.map((order) => el("div.order", {}, el("h4", {}, `#${order.place} of ${order.of} `, el("span.faint", {}, FORMS[order.form])), el("ul", {}, order.why.map((why) => el("li", {}, why)))));

function manifests(answer) {
  if (answer.items.length === 0) return el("p.faint", {}, "The source has none.");
  return answer.items.map((one) => {
    const text = el("pre", { tabindex: 0 });
    text.textContent = one.yaml;
    return el("details", {}, el("summary", {}, `${one.object} `, name(one.name)), text);
  });
}

// What is wrong, where nothing is open.
function overview(world) {
  const bad = [...world.diagnoses.values()].filter((one) => one.verdict === "broken");
  const all = world.diagnoses.size;
  if (all === 0) return [el("h2", {}, "Nothing to diagnose"), el("p", {}, "The source has no APIServices.")];
  if (bad.length === 0) return [el("h2", {}, "Nothing is broken"), el("p.faint", {}, `${all} APIServices. Pick one to see how its requests get there.`)];
  // What follows from each of them alone is told where it is open.
  const said = bad.flatMap((one) => one.consequences);
  const times = (text) => said.filter((one) => one.message === text).length;
  const common = new Map(said.filter((one) => bad.length === 1 || times(one.message) > 1).map((one) => [one.message, one]));
  return [
    el("h2", {}, `${bad.length} of ${all} APIServices are broken`),
    common.size > 0 && [el("p", {}, "Until these are fixed:"), el("ul", {}, [...common.values()].map((one) => el("li", {}, one.certain ? "" : "Possibly: ", one.message)))],
    el("p.faint", {}, "Pick one to see the first broken link of its walk, and what to do."),
  ];
}
