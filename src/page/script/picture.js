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
    el("div.server", { id: "nobody", class: "end" }, el("h3", {}, "404"), el("p.role", {}, "nobody has it")),
    extensions(world, aggregator),
  );
  drawLines();
}

function serverBox(server) {
  const facts = {
    "kube-aggregator": () => [
      fact(server.ownPaths, "path of its own", "paths of its own"),
      fact(server.localApiServices, "local APIService", "local APIServices"),
      server.ghosts.length > 0 && el("li.broken", {}, `${server.ghosts.length} local, and no server answers: `, server.ghosts.map((ghost) => opener(ghost))),
    ],
    "kube-apiserver": () => [
      fact(server.groups.reduce((all, group) => all + group.versions.length, 0), "group version", "group versions"),
      fact(server.groups.length, "built-in group", "built-in groups"),
    ],
    "apiextensions-apiserver": () => [
      fact(server.groups.reduce((all, group) => all + group.crds.length, 0), "CRD", "CRDs"),
      fact(server.groups.length, "group", "groups"),
      server.notEstablished.length > 0 && el("li.odd", {}, `not established, so they serve nothing: ${server.notEstablished.join(", ")}`),
      server.unknownGroupVersions > 0 && el("li.odd", {}, `${server.unknownGroupVersions} custom group versions whose CRDs are not in the source`),
    ],
  }[server.server];
  return el(
    "div.server",
    { id: server.server },
    el("h3", {}, server.server),
    el("p.role", {}, server.role),
    el("ul.facts", {}, facts()),
    el("p.rest", {}, server.passesOn),
  );
}

const fact = (count, one, many) => el("li", {}, el("b", {}, count), ` ${count === 1 ? one : many}`);
const opener = (service) => el("button.link", { type: "button", on: { click: () => change({ open: service }) } }, name(service));
const RANK = { broken: 0, warning: 1, unknown: 2, healthy: 3 };

// The Services that requests leave for, the broken ones first.
function extensions(world, aggregator) {
  const boxes = aggregator.services.map((one) => ({ ...one, verdict: worst(world, one.apiServices) }));
  boxes.sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || (a.service ?? "").localeCompare(b.service ?? ""));
  const most = every ? boxes.length : mostBoxes();
  const routed = world.route?.service;
  const visible = boxes.filter((box, index) => index < most || box.service === routed);
  const hidden = boxes.length - visible.length;
  if (boxes.length === 0) return el("div", { id: "extensions", class: "none" }, el("p.faint", {}, "No APIService leads to an extension API server."));
  return el(
    "div",
    { id: "extensions" },
    el("h3", {}, "Extension API servers ", el("span.faint", {}, boxes.length)),
    el("ul", {}, visible.map((box) => extensionBox(world, box))),
    (hidden > 0 || every) &&
      boxes.length > mostBoxes() &&
      el("button.more", { type: "button", "aria-expanded": String(every), on: { click: () => ((every = !every), drawPicture(world), drawWay(world)) } }, every ? "show fewer" : `and ${hidden} more`),
  );
}

const verdictOf = (world, service) => world.diagnoses.get(service)?.verdict ?? "unknown";
const worst = (world, services) => services.map((one) => verdictOf(world, one.name)).sort((a, b) => RANK[a] - RANK[b])[0];

const MOST_NAMES = 3;

function extensionBox(world, { service, apiServices, verdict }) {
  const sorted = [...apiServices].sort((a, b) => RANK[verdictOf(world, a.name)] - RANK[verdictOf(world, b.name)]);
  const first = world.diagnoses.get(sorted[0].name);
  return el(
    "li.extension",
    { class: verdict, "data-service": service ?? "" },
    el("h4", {}, service === null ? "a Service" : name(service)),
    el("ul", {}, sorted.slice(0, MOST_NAMES).map(({ name: one }) => el("li", {}, sign(verdictOf(world, one)), opener(one)))),
    sorted.length > MOST_NAMES && el("p.faint", {}, `and ${sorted.length - MOST_NAMES} more`),
    first && verdict !== "healthy" && el("p.reason", {}, first.message),
  );
}

// Where boxes are, seen from the picture.
function place(element) {
  const outer = byId("picture").getBoundingClientRect();
  const { left, right, top, bottom, width } = element.getBoundingClientRect();
  return { left: left - outer.left, right: right - outer.left, top: top - outer.top, bottom: bottom - outer.top, center: left - outer.left + width / 2 };
}

const GUTTER = 14;

// The points between the boxes: along the chain, and down to each extension server.
function geometry() {
  const boxes = ["kube-aggregator", "kube-apiserver", "apiextensions-apiserver", "nobody"].map((id) => place(byId(id)));
  const stacked = boxes[1].left < boxes[0].right;
  const links = boxes.slice(1).map((to, index) => {
    const from = boxes[index];
    if (stacked) return [[from.left + GUTTER, from.bottom], [from.left + GUTTER, to.top]];
    const y = from.top + 34;
    return [[from.right, y], [to.left, y]];
  });
  const trunk = boxes[0].left + GUTTER * (stacked ? 2.4 : 1.6);
  const branches = new Map();
  document.querySelectorAll(".extension").forEach((element) => {
    const box = place(element);
    const points = [[trunk, boxes[0].bottom]];
    if (stacked) points.push([trunk, box.top + 18], [box.left, box.top + 18]);
    else points.push([trunk, box.top - 11], [box.left + 22, box.top - 11], [box.left + 22, box.top]);
    branches.set(element.dataset.service, { points });
  });
  return { boxes, links, branches, entry: [[boxes[0].left + GUTTER * 1.6, place(byId("request")).bottom], [boxes[0].left + GUTTER * 1.6, boxes[0].top]] };
}

const line = (points, kind, arrow = true) =>
  svg("path", { d: "M" + points.map((point) => point.join(" ")).join("L"), class: kind, ...(arrow && { "marker-end": `url(#${kind.split(" ")[0]}-end)` }) });

function marker(kind) {
  const end = svg("marker", { id: `${kind}-end`, class: kind, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" });
  end.append(svg("path", { d: "M0 0L10 5L0 10z" }));
  return end;
}

function drawLines() {
  const canvas = document.querySelector("#picture > svg");
  if (!canvas) return;
  const { links, branches, entry } = geometry();
  const quiet = [...branches.values()].map(({ points }) => line(points, "branch", false));
  put(canvas, ["link", "way", "refused"].map(marker), line(entry, "link"), links.map((points) => line(points, "link")), quiet);
  if (shownRoute) canvas.append(...wayLines(shownRoute));
}

let shownRoute = null;
const SERVERS = ["kube-aggregator", "kube-apiserver", "apiextensions-apiserver"];

// The lines that a request goes along.
function wayLines(route) {
  const { links, branches, entry } = geometry();
  const lines = [line(entry, "way")];
  route.hops.slice(1).forEach((_, index) => links[index] && lines.push(line(links[index], "way")));
  if (route.outcome === "not-found" && route.hops.length === SERVERS.length) lines.push(line(links[2], "way"));
  const branch = branches.get(route.service);
  if (route.service && branch) lines.push(line(branch.points, route.outcome === "unavailable" ? "refused" : "way"));
  return lines;
}

// Lights up what a request passes, and where it ends.
function drawWay({ route }) {
  shownRoute = route ?? null;
  document.querySelectorAll(".server, .extension").forEach((box) => {
    box.classList.remove("passed", "ends", "ends-badly");
    box.querySelector(".hop")?.remove();
  });
  route?.hops.forEach((hop, index) => {
    const box = byId(hop.server);
    box.classList.add("passed");
    box.prepend(el("span.hop", { title: hop.reason }, index + 1));
  });
  if (route) {
    const last = route.service ? document.querySelector(`[data-service="${CSS.escape(route.service)}"]`) : byId(route.hops.at(-1)?.server);
    const end = route.outcome === "not-found" && route.hops.length === SERVERS.length ? byId("nobody") : last;
    end?.classList.add(isGood(route.outcome) ? "ends" : "ends-badly");
  }
  drawLines();
}

const isGood = (outcome) => ["served", "proxied", "redirect"].includes(outcome);

new ResizeObserver(drawLines).observe(byId("picture"));
