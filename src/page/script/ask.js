// Questions to aggctl: over HTTP, or from the answers that came with the file.

const embedded = byId("answers") && JSON.parse(byId("answers").textContent);

// A question that has no answer here.
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
    if (Object.hasOwn(embedded, wanted)) return embedded[wanted];
    throw new Unanswered("This file has no answer to that: it holds those that were likely to be asked.", embedded.site.routeCommand);
  }
  let response;
  try {
    response = await fetch(`/aggctl/api/${wanted}`, { headers: { Accept: "application/json" } });
  } catch {
    throw new Unanswered("aggctl does not answer: it was stopped, perhaps.", "start aggctl serve again, and reload");
  }
  const answer = await response.json().catch(() => ({ message: `aggctl answered with status ${response.status}` }));
  if (!response.ok) throw new Unanswered(answer.message, answer.hint);
  return answer;
}

const without = () => state.without.map((name) => ["without", name]);

// What is said instead of an answer.
const sorry = (error) =>
  el("p.sorry", {}, error instanceof Unanswered ? error.message : `the page failed: ${error.message}`, error.hint && el("span.hint", {}, ` hint: ${error.hint}`));
