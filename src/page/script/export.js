// The picture as an SVG file: what the browser laid out, as rectangles, lines and text.

const round = (value) => Math.round(value * 10) / 10;

// A file that looks the same without our style sheet, so every color is written out.
function pictureSvg() {
  const stage = byId("picture");
  const outer = stage.getBoundingClientRect();
  const entry = byId("request").getBoundingClientRect().bottom - outer.top;
  const [margin, top] = [16, Math.min(0, entry) - 4];
  const size = { x: -margin, y: top, width: outer.width + 2 * margin, height: outer.height - top + margin };
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: [size.x, size.y, size.width, size.height].map(round).join(" "), width: round(size.width), height: round(size.height) });
  root.append(svg("rect", { ...size, fill: getComputedStyle(document.querySelector(".stage")).backgroundColor }));
  root.append(...[...stage.querySelectorAll(":scope > svg > *")].map(painted));
  for (const element of stage.querySelectorAll("*")) {
    if (element.closest("svg")) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const place = { x: round(box.left - outer.left), y: round(box.top - outer.top), width: round(box.width), height: round(box.height) };
    const [fill, border] = [style.backgroundColor, parseFloat(style.borderTopWidth)];
    if (box.width > 0 && (border > 0 || !/, 0\)$|transparent/.test(fill))) {
      const corner = Math.min(parseFloat(style.borderTopLeftRadius) || 0, box.height / 2);
      root.append(svg("rect", { ...place, rx: corner, fill, stroke: border > 0 ? style.borderTopColor : "none", "stroke-width": border, "stroke-dasharray": style.borderTopStyle === "dashed" ? "5 4" : "none" }));
    }
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) root.append(...textLines(node, style, outer));
  }
  return root;
}

// A copy of a line or an arrow head, with its colors.
function painted(element) {
  const copy = element.cloneNode(true);
  const pairs = [[element, copy], ...[...element.querySelectorAll("*")].map((one, index) => [one, copy.querySelectorAll("*")[index]])];
  for (const [from, to] of pairs) {
    const { fill, stroke, strokeWidth, strokeDasharray } = getComputedStyle(from);
    Object.entries({ fill, stroke, "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray }).forEach(([key, value]) => to.setAttribute(key, value));
  }
  return copy;
}

// One element per line that the browser broke a text into.
function textLines(node, style, outer) {
  const lines = [];
  const range = document.createRange();
  for (let at = 0; at < node.length; at++) {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const line = lines.at(-1);
    if (line && Math.abs(line.box.top - box.top) < 2) line.text += node.data[at];
    else lines.push({ box, text: node.data[at] });
  }
  const size = parseFloat(style.fontSize);
  return lines.filter((line) => line.text.trim()).map(({ box, text }) => {
    const element = svg("text", { x: round(box.left - outer.left), y: round((box.top + box.bottom) / 2 - outer.top + size * 0.35), fill: style.color, "font-family": style.fontFamily, "font-size": size, "font-weight": style.fontWeight });
    element.textContent = text;
    return element;
  });
}

byId("save").addEventListener("click", () => {
  const file = new Blob([new XMLSerializer().serializeToString(pictureSvg())], { type: "image/svg+xml" });
  const link = el("a", { href: URL.createObjectURL(file), download: "aggctl-chain.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
