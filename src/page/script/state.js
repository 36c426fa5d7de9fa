// What the page shows. It is in the address, so that a link shows the same.

const EMPTY = { request: "", open: "", filter: "", only: "", view: "", form: "", to: "", without: [] };
let state = read();

function read() {
  const said = new URLSearchParams(location.hash.slice(1));
  const found = { ...EMPTY, without: [...new Set(said.getAll("without"))].sort() };
  for (const key of ["request", "open", "filter", "only", "view", "form", "to"]) found[key] = said.get(key) ?? "";
  return found;
}

function address(of) {
  const parameters = Object.entries(of).flatMap(([key, value]) => [value].flat().map((one) => [key, one]));
  return "#" + new URLSearchParams(parameters.filter(([, value]) => value)).toString();
}

// Changes what the page shows; `quietly` adds no step to the history.
function change(changes, quietly = false) {
  const before = state;
  state = { ...state, ...changes };
  if (address(state) === address(before)) return;
  history[quietly ? "replaceState" : "pushState"](null, "", address(state));
  show(before);
}

addEventListener("popstate", () => {
  const before = state;
  state = read();
  show(before);
});

const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one].sort());
