// The list of APIServices, broken ones first.

const ONLY = {
  "": ["all", () => true],
  broken: ["broken", (row) => row.verdict === "broken"],
  warning: ["need attention", (row) => row.verdict === "warning"],
  service: ["extension", (row) => row.backing === "service"],
  crd: ["CRDs", (row) => row.backing === "crd"],
  "built-in": ["built-in", (row) => ["built-in", "apiextensions"].includes(row.backing)],
};
const BACKENDS = { "built-in": "kube-apiserver", apiextensions: "apiextensions-apiserver", crd: "CRDs", nobody: "unserved", unknown: "unknown" };

const backend = (row) => row.service ?? BACKENDS[row.backing] ?? "unknown Service";

// Every APIService with its diagnosis. Removed ones stay in the list.
function rows(world) {
  const of = (service) => {
    const found = world.diagnoses.get(service.name);
    return { ...service, verdict: found?.verdict ?? "unknown", message: found?.message ?? "", verified: found?.verified ?? true };
  };
  const gone = state.without.filter((one) => !world.services.some((service) => service.name === one));
  const all = world.services.map(of).concat(gone.map((one) => ({ name: one, verdict: "gone", message: "removed", backing: "", oddities: [] })));
  const rank = (row) => RANK[row.verdict] ?? -1;
  const last = (row) => (row.backing === "service" || row.verdict !== "healthy" ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b) || last(a) - last(b) || a.name.localeCompare(b.name));
}

const MAX_ROWS = 300;
let allRows = false;

function drawServices(world) {
  const all = rows(world);
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (row) => [row.name, backend(row), row.reason, row.message, ...row.oddities].join(" ").toLowerCase();
  const matching = all.filter((row) => words.every((word) => text(row).includes(word)));
  const wanted = matching.filter(ONLY[state.only]?.[1] ?? ONLY[""][1]);
  put(
    byId("only"),
    Object.entries(ONLY).map(([only, [label, of]]) => {
      const count = matching.filter(of).length;
      const press = { click: () => change({ only }) };
      return el("button.chip", { type: "button", class: only || "all", "aria-pressed": String(state.only === only), disabled: count === 0 && state.only !== only, on: press }, label, " ", el("b", {}, count));
    }),
  );
  if (byId("filter").value !== state.filter) byId("filter").value = state.filter;
  const visible = allRows ? wanted : wanted.slice(0, MAX_ROWS);
  put(
    byId("list"),
    visible.map((row) => serviceRow(row)),
    visible.length < wanted.length && el("li", {}, el("button.more", { type: "button", on: { click: () => ((allRows = true), drawServices(world)) } }, `Show ${wanted.length - visible.length} more`)),
    wanted.length === 0 && all.length > 0 && el("li.faint", {}, "No APIService matches. ", el("button.link.clear", { type: "button", on: { click: () => (change({ filter: "", only: "" }), byId("filter").focus()) } }, "Clear the filter")),
  );
  put(byId("count"), wanted.length === all.length ? `${all.length} APIServices` : `${wanted.length} of ${all.length} APIServices`);
}

function serviceRow(row) {
  const off = state.without.includes(row.name);
  const open = state.open === row.name;
  const says = row.verdict === "healthy" ? "" : row.message;
  return el(
    "li.row",
    { class: `${row.verdict}${open ? " open" : ""}`, "data-name": row.name },
    el(
      "button.pick",
      { type: "button", "aria-current": open && "true", on: { click: () => change({ open: open ? "" : row.name }) } },
      sign(row.verdict === "healthy" && !row.verified ? "unknown" : row.verdict),
      el("span.who", {}, name(row.name), row.backing && el("span.leads", {}, "→ ", name(backend(row)))),
      says && el("span.says", {}, says),
    ),
    !embedded &&
      el("button.switch", { type: "button", "aria-label": `${off ? "Restore" : "Remove"} ${row.name}`, on: { click: () => change({ without: toggled(state.without, row.name) }) } }, off ? "Restore" : "Remove"),
  );
}

byId("filter").addEventListener("input", (event) => change({ filter: event.target.value }, true));

// Arrow keys move along the list, x removes or restores one.
byId("list").addEventListener("keydown", (event) => {
  const row = event.target.closest(".row");
  const to = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling, Home: row?.parentElement.firstElementChild, End: row?.parentElement.lastElementChild }[event.key];
  if (to) to.querySelector("button").focus();
  else if (event.key === "x" && row && !embedded) change({ without: toggled(state.without, row.dataset.name) });
  else return;
  event.preventDefault();
});
byId("filter").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  document.querySelector("#list .pick")?.focus();
});
