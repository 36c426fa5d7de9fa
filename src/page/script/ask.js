// Questions to aggctl: over HTTP, or from the answers that came with the file.

const embedded = byId("answers") && JSON.parse(byId("answers").textContent);
document.body.classList.toggle("report", Boolean(embedded));

// A question without an answer.
class Unanswered extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

const key = (question, parameters) => {
  const query = new URLSearchParams(parameters.filter(([, value]) => value !== "")).toString();
  return query ? `${question}?${query}` : question;
};

async function ask(question, ...parameters) {
  const wanted = key(question, parameters);
  if (embedded) {
    const found = question === "route" ? embeddedRoute(parameters[0][1]) : Object.hasOwn(embedded, wanted) && embedded[wanted];
    if (found) return found;
    const command = question === "route" && embedded.site.routeCommand.replace("REQUEST", () => parameters[0][1]);
    throw new Unanswered("This report does not contain the answer.", command && `run ${command}`);
  }
  let response;
  try {
    response = await fetch(`/aggctl/api/${wanted}`, { headers: { Accept: "application/json" } });
  } catch {
    throw new Unanswered("aggctl does not respond.", "start aggctl serve again, then reload");
  }
  const answer = await response.json().catch(() => ({ message: `aggctl answered with status ${response.status}` }));
  if (!response.ok || answer.kind === "Error") throw new Unanswered(answer.message, answer.hint);
  return answer;
}

// Splits a request into its method, GET by default, and its path or resource.
function parseRequest(text) {
  const [, method, rest] = text.trim().match(/^(?:([A-Za-z]+)\s+)?(.*)$/s);
  return { method: (method ?? "GET").toUpperCase(), rest };
}

// Replaces the namespace and the name in a path by placeholders, as the routes of a report have them.
function template(path) {
  const parts = path.split("/");
  const root = parts[1] === "api" ? 3 : 4;
  const [inside, namespace, resource, item] = parts.slice(root);
  const start = parts.slice(0, root).join("/");
  switch (inside && parts.length - root) {
    case 2: return { path: `${start}/${inside}/NAME`, name: namespace };
    case 3: return inside === "namespaces" && { path: `${start}/namespaces/NAMESPACE/${resource}`, namespace };
    case 4: return inside === "namespaces" && { path: `${start}/namespaces/NAMESPACE/${resource}/NAME`, namespace, name: item };
  }
  return null;
}

// The path of a resource as `kubectl get` accepts it: deploy, pods/web, nodes.metrics.k8s.io.
function pathOf(word) {
  const { words, requests } = embedded.routes;
  const [resource, object] = word.split("/");
  const collection = Object.hasOwn(words, resource.toLowerCase()) && words[resource.toLowerCase()];
  if (!collection || !object) return collection;
  const [, root, plural] = collection.match(/^(.*)\/([^/]*)$/);
  const within = `GET ${root}/namespaces/NAMESPACE/${plural}` in requests ? `${root}/namespaces/default` : root;
  return `${within}/${plural}/${object}`;
}

function embeddedRoute(text) {
  const { requests, answers } = embedded.routes;
  const { method, rest } = parseRequest(text);
  const path = rest.startsWith("/") ? rest.split("?")[0] : pathOf(rest);
  if (!path) return null;
  const known = template(path);
  const at = [{ path }, known].filter(Boolean).find((one) => Object.hasOwn(requests, `${method} ${one.path}`));
  if (!at) return null;
  const answer = structuredClone(answers[requests[`${method} ${at.path}`]]);
  Object.assign(answer.request, { path, namespace: at.namespace ?? null, name: at.name ?? null });
  if (answer.handler?.url) answer.handler.url += path;
  return answer;
}

const without = () => state.without.map((name) => ["without", name]);

// What is shown instead of an answer.
const sorry = (error) =>
  el("p.sorry", {}, error instanceof Unanswered ? error.message : `the page failed: ${error.message}`, error.hint && el("span.hint", {}, ` hint: ${error.hint}`));
