// The API servers of a control plane, side by side where they differ.

const MAX_RESOURCES = 60;

function drawServers({ site }) {
  const section = byId("servers");
  section.hidden = !site.servers;
  if (section.hidden) return;
  const { asked, servers, missing, resources, issues } = site.servers;
  const answer = (one, server) =>
    one.servedBy.includes(server) ? "serves it" : one.proxiedBy.includes(server) ? "sends it to a peer" : "404";
  const head = servers.map((one) => el("th", { scope: "col" }, name(one.name), one.name === asked && " (this page)", el("br"), el("span.faint", {}, one.version ?? "version unknown")));
  const rows = resources.slice(0, MAX_RESOURCES).map((one) => el("tr", {}, el("th", { scope: "row" }, name(one.resource)), servers.map((server) => el("td", {}, answer(one, server.name)))));
  put(
    section,
    el("h2", {}, "API servers"),
    missing.length > 0 && el("p", {}, sign("unknown"), ` could not be read: ${missing.join(", ")}`),
    el("ul", {}, issues.map((one) => el("li", {}, one))),
    el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Resource"), head)), el("tbody", {}, rows)),
    resources.length === 0 && el("p.faint", {}, "all servers serve the same resources"),
    resources.length > MAX_RESOURCES && el("p.faint", {}, `and ${resources.length - MAX_RESOURCES} more resources`),
  );
}
