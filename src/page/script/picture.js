// The chain as a picture: boxes, the lines between them, and a request's way along the lines.

const mostBoxes = () => (matchMedia("(max-width: 760px)").matches ? 5 : 12);
let every = false;

function drawPicture(world) {
  const servers = world.chain.servers;
  const aggregator = servers[0];
  put(
    byId("picture"),
    svg("svg", { class: "lines", "aria-hidden": "true" }),
    servers.map((server) => serverBox(server)),
    el("div.server", { id: "nobody" }, el("h3", {}, "404"), el("p.role", {}, "no server serves it")),
    extensions(world, aggregator),
  );
  drawLines();
}

function serverBox(server) {
  const facts = {
    "kube-aggregator": () => [
      fact(server.ownPaths, "own path", "own paths"),
      fact(server.localApiServices, "local APIService", "local APIServices"),
      server.ghosts.length > 0 && el("li.note.broken", {}, `${server.ghosts.length} local but unserved: `, server.ghosts.map((ghost) => opener(ghost))),
    ],
    "kube-apiserver": () => [
      fact(server.groups.reduce((all, group) => all + group.versions.length, 0), "group version", "group versions"),
      fact(server.groups.length, "built-in group", "built-in groups"),
    ],
    "apiextensions-apiserver": () => [
      ...customFacts(server),
      server.notEstablished.length > 0 && el("li.note.odd", {}, `not established, so not served: ${server.notEstablished.join(", ")}`),
      server.unknownGroupVersions > 0 && el("li.note.odd", {}, `${server.unknownGroupVersions} custom group ${server.unknownGroupVersions === 1 ? "version" : "versions"} without CRDs in the source`),
    ],
  }[server.server];
  return el(
    "div.server",
    { id: server.server },
    el("h3", {}, server.server),
    el("p.role", {}, server.role),
    el("ul.facts", {}, facts()),
    server.groups && groupLinks(server.groups.map((one) => one.group)),
    el("p.rest", {}, `passes on ${server.passesOn}`),
  );
}

// The CRDs. A source that lacks them does not show that there are none.
function customFacts(server) {
  const crds = server.groups.reduce((all, group) => all + group.crds.length, 0);
  if (server.crdsIncomplete && crds === 0) return [el("li.note.odd", {}, "CRDs unknown: they are not in the source")];
  const facts = [fact(crds, "CRD", "CRDs"), fact(server.groups.length, "group", "groups")];
  return server.crdsIncomplete ? [...facts, el("li.note.odd", {}, "The source may lack other CRDs.")] : facts;
}

const MAX_GROUPS = 9;

// The groups of a server. A click routes a request to one.
function groupLinks(groups) {
  const link = (group) => el("button.link", { type: "button", on: { click: () => change({ request: group ? `/apis/${group}` : "/api/v1" }) } }, name(group || "v1"));
  const left = groups.length - MAX_GROUPS;
  return el("p.groups", {}, groups.slice(0, MAX_GROUPS).map((group) => [link(group), " "]), left > 0 && `and ${left} more`);
}

const fact = (count, one, many) => el("li", {}, el("b", {}, count), " ", count === 1 ? one : many);
const opener = (service, label = service) => el("button.link", { type: "button", on: { click: () => change({ open: service, view: "" }) } }, name(label));
const RANK = { broken: 0, warning: 1, unknown: 2, healthy: 3 };

// The Services that requests are proxied to, the broken ones first.
function extensions(world, aggregator) {
  const boxes = aggregator.services.map((one) => ({ ...one, verdict: worst(world, one.apiServices) }));
  boxes.sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || (a.service ?? "").localeCompare(b.service ?? ""));
  const most = every ? boxes.length : mostBoxes();
  const routed = world.route?.service;
  const visible = boxes.filter((box, index) => index < most || box.service === routed);
  const hidden = boxes.length - visible.length;
  if (boxes.length === 0) return el("div", { id: "extensions", class: "none" }, el("p.faint", {}, "No APIService has an extension API server as its backend."));
  return el(
    "div",
    { id: "extensions" },
    el("h3", {}, "Extension API servers ", el("span.faint", {}, boxes.length)),
    el("ul", {}, visible.map((box) => extensionBox(world, box))),
    (hidden > 0 || every) &&
      boxes.length > mostBoxes() &&
      el("button.more", { type: "button", "aria-expanded": String(every), on: { click: () => ((every = !every), drawPicture(world), drawWay(world)) } }, every ? "Show fewer" : `Show ${hidden} more`),
  );
}

const verdictOf = (world, service) => world.diagnoses.get(service)?.verdict ?? "unknown";
const worst = (world, services) => services.map((one) => verdictOf(world, one.name)).sort((a, b) => RANK[a] - RANK[b])[0];

const MAX_NAMES = 3;

function extensionBox(world, { service, apiServices, verdict }) {
  const sorted = [...apiServices].sort((a, b) => RANK[verdictOf(world, a.name)] - RANK[verdictOf(world, b.name)]);
  const first = world.diagnoses.get(sorted[0].name);
  return el(
    "li.extension",
    { class: verdict, "data-service": service ?? "" },
    el("h4", {}, sign(verdict), service === null ? "unknown Service" : name(service)),
    el("ul", {}, sorted.slice(0, MAX_NAMES).map(({ name: one }) => el("li", {}, sign(verdictOf(world, one)), opener(one)))),
    sorted.length > MAX_NAMES && el("p.faint", {}, `and ${sorted.length - MAX_NAMES} more`),
    first && verdict !== "healthy" && el("p.reason", {}, first.message),
  );
}

// Where boxes are, seen from the picture.
function place(element) {
  const outer = byId("picture").getBoundingClientRect();
  const { left, right, top, bottom, width } = element.getBoundingClientRect();
  return { left: left - outer.left, right: right - outer.left, top: top - outer.top, bottom: bottom - outer.top, center: left - outer.left + width / 2 };
}

const GUTTER = 22;

// The points between the boxes: along the chain, and down to each extension server.
function geometry() {
  const boxes = ["kube-aggregator", "kube-apiserver", "apiextensions-apiserver", "nobody"].map((id) => place(byId(id)));
  const stacked = boxes[1].left < boxes[0].right;
  const links = boxes.slice(1).map((to, index) => {
    const from = boxes[index];
    if (stacked) return [[from.left + GUTTER / 2, from.bottom], [from.left + GUTTER / 2, to.top]];
    const y = from.top + 30;
    return [[from.right, y], [to.left, y]];
  });
  const trunk = boxes[0].left + GUTTER * (stacked ? 1.4 : 1);
  const branches = new Map();
  document.querySelectorAll(".extension").forEach((element) => {
    const box = place(element);
    const points = [[trunk, boxes[0].bottom]];
    if (stacked) points.push([trunk, box.top + 18], [box.left, box.top + 18]);
    else points.push([trunk, box.top - 14], [box.left + GUTTER, box.top - 14], [box.left + GUTTER, box.top]);
    branches.set(element.dataset.service, points);
  });
  const entry = [[boxes[0].left + GUTTER, place(byId("request")).bottom], [boxes[0].left + GUTTER, boxes[0].top]];
  return { links, branches, entry };
}

// A line along points, with round corners.
function along(points) {
  const ROUND = 9;
  const towards = ([x, y], [toX, toY]) => {
    const length = Math.hypot(toX - x, toY - y);
    const step = Math.min(ROUND, length / 2) / (length || 1);
    return `${x + (toX - x) * step} ${y + (toY - y) * step}`;
  };
  const corners = points.slice(1, -1).map((at, index) => `L${towards(at, points[index])}Q${at.join(" ")} ${towards(at, points[index + 2])}`);
  return `M${points[0].join(" ")}${corners.join("")}L${points.at(-1).join(" ")}`;
}

const line = (points, kind) => svg("path", { d: along(points), class: kind, "marker-end": `url(#${kind}-end)` });

function marker(kind) {
  const end = svg("marker", { id: `${kind}-end`, class: kind, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" });
  end.append(svg("path", { d: "M0 0L10 5L0 10z" }));
  return end;
}

const SERVERS = ["kube-aggregator", "kube-apiserver", "apiextensions-apiserver"];
let shownRoute = null;

function drawLines() {
  const canvas = document.querySelector("#picture > svg");
  if (!canvas) return;
  const { links, branches, entry } = geometry();
  const quiet = [entry, ...links, ...branches.values()];
  put(canvas, ["link", "way", "refused"].map(marker), quiet.map((points) => line(points, "link")), shownRoute && wayLines(shownRoute, links, branches, entry));
}

const isLost = (route) => route.outcome === "not-found" && route.hops.length === SERVERS.length;

// The lines that a request goes along.
function wayLines(route, links, branches, entry) {
  const passed = links.slice(0, route.hops.length - (isLost(route) ? 0 : 1));
  const branch = route.service && branches.get(route.service);
  return [...[entry, ...passed].map((points) => line(points, "way")), branch && line(branch, route.outcome === "unavailable" ? "refused" : "way")];
}

// Lights up what a request passes, with what each server decides, and where it ends.
function drawWay({ route }) {
  shownRoute = route ?? null;
  byId("picture").classList.toggle("routed", Boolean(route));
  document.querySelectorAll(".server, .extension").forEach((box) => {
    box.classList.remove("passed", "ends", "ends-badly");
    box.querySelectorAll(".hop, .ending").forEach((one) => one.remove());
  });
  route?.hops.forEach((hop, index) => {
    const box = byId(hop.server);
    box.classList.add("passed");
    box.append(el("p.hop", {}, el("b", {}, index + 1), el("span", {}, hop.reason)));
  });
  if (route) {
    const last = route.service ? document.querySelector(`[data-service="${CSS.escape(route.service)}"]`) : byId(route.hops.at(-1)?.server);
    const end = isLost(route) ? byId("nobody") : last;
    end?.classList.add(isGood(route.outcome) ? "ends" : "ends-badly");
    // The aggregator answers 503 itself.
    const answers = route.outcome === "unavailable" ? byId(route.hops.at(-1).server) : end;
    answers?.append(el("span.ending.badge", { class: tone(route.outcome), "aria-hidden": "true" }, route.status[0] ?? "?"));
  }
  drawLines();
}

const isGood = (outcome) => ["served", "proxied", "redirect"].includes(outcome);
const tone = (outcome) => (isGood(outcome) ? "good" : outcome === "unknown" ? "odd" : "bad");

new ResizeObserver(drawLines).observe(byId("picture"));

const LEGEND = ["healthy", "warning", "broken", "unknown", "skipped"];

function drawLegend() {
  const sample = (kind) => {
    const drawing = svg("svg", { class: "lines sample", viewBox: "0 0 34 10", "aria-hidden": "true" });
    drawing.append(svg("path", { d: "M1 5H33", class: kind }));
    return drawing;
  };
  put(byId("legend"), LEGEND.map((state) => el("li", {}, sign(state), " ", WORDS[state])), [["way", "path of the request"], ["refused", "refused with 503"]].map(([kind, words]) => el("li", {}, sample(kind), " ", words)));
}
drawLegend();
