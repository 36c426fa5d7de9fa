// One APIService in detail: doctor's checks, the impact of its removal, its place in the orders, its manifests.

async function drawDetails(world) {
  const panel = byId("details");
  const service = world.services.find((one) => one.name === state.open);
  if (!state.open) return put(panel, overview(world));
  if (!service) return put(panel, heading(state.open), el("p", {}, state.without.includes(state.open) ? "Removed. What changes is listed above." : `no APIService "${state.open}" in the source`));
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
    found ? diagnosis(found) : el("p.faint", {}, "The source does not list this APIService. It follows from other data."),
    later("Impact", () => hanging(world, service, found)),
    later("Place in the order", () => ask("place", ["name", service.name], ...without()).then(orders)),
    later("Manifests", () => ask("manifests", ["name", service.name], ...without()).then(manifests)),
  );
}

const heading = (service, found) =>
  el("div.heading", {}, found && sign(found.verdict), el("h2", {}, name(service)), el("button.close", { type: "button", "aria-label": "Close", on: { click: () => change({ open: "" }) } }, "✕"));

function diagnosis(found) {
  return [
    el("p.message", { class: found.verdict }, found.message),
    el("p.faint", {}, found.service ? ["→ Service ", name(found.service), `, port ${found.port}`] : "served by kube-apiserver itself", found.belongsTo && ` · ${found.belongsTo.distribution}${found.belongsTo.component ? `, ${found.belongsTo.component}` : ""}`),
    found.links.length > 0 &&
      el("section", {}, el("h3", {}, "Checks"), el("ol.walk", {}, found.links.map((link) =>
        el("li", { class: link.state }, sign(link.state), el("span.link-name", {}, link.link), el("div", {}, link.message, link.evidence.map((one) => el("p.faint", {}, one)))),
      ))),
    found.condition &&
      el("section", {}, el("h3", {}, "Condition"), el("p", {}, el("code", {}, `Available=${found.condition.status}`), found.condition.reason && ` ${found.condition.reason}`, found.condition.since && el("span.faint", {}, ` since ${found.condition.since}`)),
        found.condition.message && el("p.quote", {}, found.condition.message), found.condition.contradiction && el("p.warning", {}, sign("warning"), " ", found.condition.contradiction)),
    found.findings.map((one) => el("p.finding", {}, sign(one.severity === "info" ? "unknown" : "warning"), " ", one.message, one.reason && el("span.faint", {}, ` ${one.reason}`))),
    found.next.length > 0 && el("section", {}, el("h3", {}, "Fix"), el("ul.next", {}, found.next.map((one) => el("li", {}, one.message, one.commands.map(command))))),
    found.writtenBy.length > 0 && el("p.faint", {}, "managed by ", found.writtenBy.map((one) => `${one.field ? `${one.field}: ` : ""}${one.by}${one.time ? ` (${one.time})` : ""}`).join("; ")),
  ];
}

// A command with a button that copies it.
function command(text) {
  const button = el("button.copy", { type: "button", "aria-label": `Copy ${text}`, on: { click: () => copy(text).then((done) => put(button, done ? "Copied" : "Select and copy")) } }, "Copy");
  return el("div.command", {}, el("code", { tabindex: 0 }, text), button);
}

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

// What is lost with it: consequences, its paths, and what would change without it.
async function hanging(world, { name: service, group, version }, found) {
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const paths = world.paths.filter((path) => path.startsWith(`${root}/`));
  const consequences = el("ul", {}, found?.consequences.map((one) => el("li", {}, one.certain ? "" : "Possible: ", one.message)));
  const links = paths.slice(0, 40).map((path) => el("button.chip", { type: "button", on: { click: () => change({ request: path }) } }, path.slice(root.length + 1)));
  const parts = [consequences, links.length > 0 && el("p.chips", {}, links, paths.length > links.length && ` and ${paths.length - links.length} more`)];
  if (state.without.includes(service)) return parts;
  const gone = await ask("diff", ...without(), ["without", service]).catch((error) => (embedded ? null : Promise.reject(error)));
  return [...parts, gone ? el("details", { open: true }, el("summary", {}, "What if removed"), diffParts(gone, "h4")) : el("p.faint", {}, "This report does not contain what its removal changes.")];
}

const FORMS = { legacy: "GET /apis", aggregated: "GET /apis (aggregated discovery)" };

const orders = (answer) =>
  answer.orders.map((order) => el("div.order", {}, el("h4", {}, `#${order.place} of ${order.of} `, el("span.faint", {}, FORMS[order.form])), el("ul", {}, order.why.map((why) => el("li", {}, why)))));

function manifests(answer) {
  if (answer.items.length === 0) return el("p.faint", {}, "The source has no manifests of it.");
  return answer.items.map((one) => {
    const text = el("pre", { tabindex: 0 });
    text.textContent = one.yaml;
    return el("details", {}, el("summary", {}, `${one.object} `, name(one.name)), text);
  });
}

// What is broken, while no APIService is open.
function overview(world) {
  const bad = [...world.diagnoses.values()].filter((one) => one.verdict === "broken");
  const all = world.diagnoses.size;
  if (all === 0) return [el("h2", {}, "No APIServices"), el("p", {}, "The source has no APIServices.")];
  const incomplete = missingInput(world).length > 0 || world.doctor.summary.notVerified > 0;
  if (bad.length === 0) {
    return [
      el("h2", {}, incomplete ? "No broken APIServices found" : "All APIServices work"),
      incomplete && el("p.message.warning", {}, "Not everything could be checked, because the input is incomplete."),
      el("p.faint", {}, `${all} APIServices. Select one to see how its requests are served.`),
    ];
  }
  // What follows from one of them alone is shown in its details.
  const said = bad.flatMap((one) => one.consequences);
  const times = (text) => said.filter((one) => one.message === text).length;
  const common = new Map(said.filter((one) => bad.length === 1 || times(one.message) > 1).map((one) => [one.message, one]));
  return [
    el("h2", {}, `${bad.length} of ${all} APIServices ${bad.length === 1 ? "is" : "are"} broken`),
    incomplete && el("p.message.warning", {}, "There may be more, because the input is incomplete."),
    common.size > 0 && [el("p", {}, "Impact until fixed:"), el("ul", {}, [...common.values()].map((one) => el("li", {}, one.certain ? "" : "Possible: ", one.message)))],
    el("p.faint", {}, "Select one to see its first failing check and the fix."),
  ];
}
