// Elements from values. Text from a cluster only ever becomes text.

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e0fff}]/gu;

// What a reader would not see, or would see elsewhere, shows as such.
const shown = (text) => String(text).replace(UNSAFE, (c) => (c === "\n" || c === "\t" ? " " : "\ufffd"));

const byId = (id) => document.getElementById(id);

// An element: attributes, then children. `on` has listeners; what is null or false is left out.
function el(tag, attributes = {}, ...children) {
  const [kind, ...classes] = tag.split(".");
  const element = document.createElement(kind);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") Object.entries(value).forEach(([event, run]) => element.addEventListener(event, run));
    else if (key === "class") element.classList.add(...value.split(" "));
    else element.setAttribute(key, value === true ? "" : shown(value));
  }
  return fill(element, children);
}

function fill(element, children) {
  const nodes = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...nodes.map((child) => (child instanceof Node ? child : document.createTextNode(shown(child)))));
  return element;
}

// Puts other children into an element.
function put(element, ...children) {
  element.replaceChildren();
  return fill(element, children);
}

const svg = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
};

// A long word may break behind its dots and slashes.
const name = (text) => el("span.name", {}, shown(text).split(/(?<=[./])/).flatMap((part) => [part, el("wbr")]).slice(0, -1));

const SIGNS = { broken: "×", warning: "!", healthy: "✓", ok: "✓", odd: "!", unknown: "?", skipped: "–", gone: "–" };
const WORDS = { broken: "broken", warning: "needs attention", healthy: "works", ok: "ok", odd: "needs attention", unknown: "unknown", skipped: "not checked", gone: "removed" };

// A sign in its color, with its meaning for screen readers.
const sign = (state) => el("span.sign", { class: state, role: "img", "aria-label": WORDS[state] ?? state }, SIGNS[state] ?? "·");

// Scrolls to an element whose top is out of sight, or in any case.
function reveal(element, always = false) {
  const { top } = element.getBoundingClientRect();
  if (!always && top >= 0 && top < innerHeight * 0.6) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
