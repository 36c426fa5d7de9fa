// The request box: completes paths, and shows which server answers while the user types.

const box = byId("request");
const options = byId("completions");
const MAX_OPTIONS = 12;
let picked = -1;

// The next words of what is typed: groups, then versions, then resources.
function completions(paths, typed) {
  const [, method, text] = typed.match(/^([A-Z]+\s+)?(.*)$/s);
  if (!text) return ["/api/", "/apis/"].map((path) => (method ?? "") + path);
  const found = new Set();
  for (const path of paths) {
    if (text.startsWith("/") && path.startsWith(text) && path !== text) {
      const next = path.indexOf("/", text.length);
      found.add(next < 0 ? path : path.slice(0, next + 1));
    } else if (!text.startsWith("/") && text.length > 1 && path.includes(text)) found.add(path);
    if (found.size > 400) break;
  }
  // A word that is whole needs no slash behind it.
  const all = [...found].filter((one) => !(one.endsWith("/") && found.has(one.slice(0, -1))) || one.length > text.length + 1);
  return all.slice(0, MAX_OPTIONS).map((path) => (method ?? "") + path);
}

function offer(world) {
  const found = document.activeElement === box ? completions(world.paths, box.value) : [];
  picked = -1;
  options.hidden = found.length === 0;
  box.setAttribute("aria-expanded", String(!options.hidden));
  box.removeAttribute("aria-activedescendant");
  put(
    options,
    found.map((one, index) =>
      el(
        "li",
        { id: `option-${index}`, role: "option", "aria-selected": "false", on: { mousedown: (event) => (event.preventDefault(), take(one, world)) } },
        el("span.typed", {}, one.startsWith(box.value) ? box.value : ""),
        one.startsWith(box.value) ? one.slice(box.value.length) : one,
      ),
    ),
  );
}

function take(text, world) {
  box.value = text;
  box.focus();
  change({ request: text }, true);
  offer(world);
}

function pick(step) {
  const all = [...options.children];
  if (all.length === 0) return;
  picked = (picked + step + all.length + (picked < 0 && step < 0 ? 1 : 0)) % all.length;
  all.forEach((option, index) => option.setAttribute("aria-selected", String(index === picked)));
  box.setAttribute("aria-activedescendant", all[picked].id);
  all[picked].scrollIntoView({ block: "nearest" });
}

box.addEventListener("input", () => {
  change({ request: box.value.trim() }, true);
  offer(world);
});
box.addEventListener("focus", () => offer(world));
box.addEventListener("blur", () => (options.hidden = true));
box.addEventListener("keydown", (event) => {
  const chosen = options.children[picked]?.textContent;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") pick(event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "Enter" && chosen && !options.hidden) take(chosen, world);
  else if (event.key === "Tab" && !event.shiftKey && !options.hidden && options.children.length > 0 && box.value) take(chosen ?? options.children[0].textContent, world);
  else if (event.key === "Enter" && !options.hidden && !isWhole(world)) take(options.firstElementChild.textContent, world);
  else if (event.key === "Enter" && world.route?.suggestion) take(world.route.suggestion, world);
  else if (event.key === "Enter") options.hidden = true;
  else return;
  event.preventDefault();
});

// Returns whether what is typed has an answer other than 404, so that Enter need not complete it.
function isWhole(world) {
  const text = box.value.trim();
  const answered = world.asked === text && world.route && world.route.outcome !== "not-found";
  return !text || answered || world.paths.includes(parseRequest(text).rest);
}

let latest = 0;

// Asks which server answers, and shows it. An answer that comes late is not shown.
async function route(world) {
  const asked = ++latest;
  let answer = null;
  let error = null;
  // A method alone is not a request yet.
  if (state.request && !/^[A-Z]+$/.test(state.request)) {
    try {
      answer = await ask("route", ["request", state.request], ...without());
    } catch (failure) {
      error = failure;
    }
  }
  if (asked !== latest) return;
  for (const one of [answer, answer?.before]) if (one?.hops[0]?.server === "peer-proxy") Object.assign(one, { peer: one.hops[0], hops: one.hops.slice(1) });
  Object.assign(world, { route: answer, asked: state.request });
  put(byId("outcome"), answer ? ending(answer) : error && sorry(error));
  put(byId("more"), answer && more(answer));
  if (answer?.service && !document.querySelector(`[data-service="${CSS.escape(answer.service)}"]`)) drawPicture(world);
  drawWay(world);
}

function ending(answer) {
  const { request, outcome, status, handler, hops: passed } = answer;
  return [
    el("span.badge", { class: tone(outcome) }, `${status[0] ?? ""} ${outcome}`),
    el("span", {}, el("b", {}, request.method), " ", name(request.path)),
    toPeer(answer),
    handler && el("span.faint", {}, "answered by ", handler.server === "extension" ? name(handler.name) : handler.server),
    !handler && passed.length > 0 && el("span.faint", {}, passed.at(-1).reason),
    answer.changed === true && el("span.badge.odd", {}, "route changes"),
    answer.changed === false && el("span.faint", {}, "same route"),
  ];
}

// What the peer proxy does, if the request leaves the server of this page. The picture shows the peer's chain then.
function toPeer({ asked, handledBy, peer }) {
  if (!peer || peer.decision === "pass-on") return null;
  if (peer.decision !== "proxy") return el("span", {}, peer.reason);
  return el("span", {}, name(asked), " sends it to ", handledBy.length > 0 ? name(handledBy.join(" or ")) : "a peer");
}

// Details of a route. Its hops are in the picture.
function more(answer) {
  const list = (title, route) =>
    el("div", {}, el("p", {}, el("b", {}, title)), el("ol.hops", {}, route.hops.map((hop) => el("li", {}, el("b", {}, hop.server), " ", hop.reason))));
  const suggestion = answer.suggestion;
  return [
    answer.before && el("div.two", {}, list("Now", answer.before), list("Then", answer)),
    answer.handler?.url && el("p.faint", {}, name(answer.handler.url)),
    suggestion && el("p", {}, "Did you mean ", el("button.link", { type: "button", on: { click: () => take(suggestion, world) } }, suggestion), "?"),
    answer.served && el("p", {}, answer.served),
    answer.warnings.map((warning) => el("p.warning", {}, sign("warning"), " ", warning.message)),
    answer.assumptions.map((one) => el("p.faint", {}, `assumed: ${one}`)),
  ];
}
