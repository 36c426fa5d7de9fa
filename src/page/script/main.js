// Reads what the page is about, and shows what the address says.

let world = null;
let loads = 0;
let first = true;

async function load() {
  const [site, chain, services, doctor, paths] = await Promise.all([
    ...["site", "chain", "apiservices", "doctor", "paths"].map((question) => ask(question, ...without())),
  ]);
  const diagnoses = new Map(doctor.items.map((one) => [one.name, one]));
  return { site, chain, services: services.items, doctor, diagnoses, paths: paths.items, route: null };
}

async function reload() {
  const asked = ++loads;
  document.body.setAttribute("aria-busy", "true");
  try {
    const found = await load();
    if (asked !== loads) return;
    world = found;
  } catch (error) {
    if (asked === loads) put(byId("notes"), sorry(error)).hidden = false;
    return;
  } finally {
    if (asked === loads) document.body.removeAttribute("aria-busy");
  }
  drawHeader(world);
  drawPicture(world);
  drawServices(world);
  drawBanner(world);
  drawMissing(world);
  drawNotes(world);
  drawServers(world);
  drawPlaceholder(world);
  await Promise.all([route(world), drawDetails(world), drawWhatIf(world), drawComparison(world), drawView(world)]);
  if (first && state.open) reveal(byId("details"));
  else if (first && state.view) reveal(byId("views"));
  first = false;
  // Only a number on a button needs it, so it may come late.
  world.conflicts = await ask("conflicts", ...without()).catch(() => null);
  if (asked === loads) drawViews(world);
}

// Shows what changed in the state.
function show(before) {
  if (box.value.trim() !== state.request) box.value = state.request;
  const focused = document.activeElement?.closest?.(".row")?.dataset.name;
  const differs = (key) => String(before[key]) !== String(state[key]);
  const refocus = () => focused && document.querySelector(`[data-name="${CSS.escape(focused)}"] .pick`)?.focus({ preventScroll: true });
  if (!world || differs("without")) return reload().then(refocus);
  if (differs("request")) route(world);
  if (differs("filter") || differs("only") || differs("open")) drawServices(world), refocus();
  if (differs("view") || differs("form") || differs("to")) drawView(world);
  if (differs("open")) {
    drawDetails(world);
    if (state.open) reveal(byId("details"));
  }
}

function drawHeader({ site, doctor }) {
  const { kind, name: source } = site.source;
  put(byId("source"), `${kind} `, name(source), site.serverVersion && el("span.faint", {}, ` Kubernetes ${site.serverVersion.replace(/^v/, "")}`));
  document.title = `aggctl: ${shown(source)}`;
  const { broken, warning, healthy } = doctor.summary;
  const chip = (count, kind, words, only) => count > 0 && el("button.chip", { type: "button", class: kind, on: { click: () => (change({ only, view: "" }), reveal(byId("services"))) } }, sign(kind), " ", el("b", {}, count), ` ${words}`);
  put(byId("summary"), chip(broken, "broken", "broken", "broken"), chip(warning, "warning", "need attention", "warning"), chip(healthy, "healthy", "work", ""));
  byId("made").hidden = !embedded;
  put(byId("made"), `Report written ${site.time.replace("T", " ").replace("Z", " UTC")} by aggctl ${site.toolVersion}`);
}

const EXAMPLES = ["/apis/apps/v1/deployments", "POST /api/v1/namespaces/default/pods", "deploy"];

// Only examples that have an answer here.
function drawPlaceholder({ paths, services }) {
  const remote = new Set(services.filter((one) => one.service).map((one) => `/apis/${one.group}/${one.version}/`));
  const extension = paths.find((path) => remote.has(path.slice(0, path.lastIndexOf("/") + 1)));
  const [start, resource] = extension ? extension.split(/\/(?=[^/]*$)/) : [];
  const examples = [...EXAMPLES, resource && `${resource}.${start.split("/")[2]}`].filter((one) => one && (!embedded || embeddedRoute(one)));
  box.placeholder = examples.join(", ");
}

function drawNotes({ site, chain, doctor }) {
  const above = missingInput({ site, doctor });
  const all = [...new Set([...site.notes, ...chain.assumptions])].filter((one) => !above.includes(one));
  byId("notes").hidden = all.length === 0;
  put(byId("notes"), el("h2", {}, "Notes"), el("ul", {}, all.map((one) => el("li", {}, one))));
}

addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (event.target === box) box.blur();
    else if (event.target === byId("filter") && !state.filter) event.target.blur();
    else if (event.target === byId("filter")) change({ filter: "" });
    else change({ open: "" });
    return;
  }
  const goal = { "/": box, f: byId("filter") }[event.key];
  if (typing || !goal) return;
  event.preventDefault();
  if (goal !== box) change({ view: "" }, true);
  goal.focus();
  goal.select();
});

box.value = state.request;
reload();
