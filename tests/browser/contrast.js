// The elements whose text has too little contrast to what is behind it.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const behind = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = rgb(getComputedStyle(one).backgroundColor);
    if (color[3] === 255) return color;
  }
  return [255, 255, 255];
};
const light = (color) => {
  const [r, g, b] = color.slice(0, 3).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || element.closest(":disabled, noscript, [hidden]") || element.getClientRects().length === 0) continue;
  const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
  const contrast = (a + 0.05) / (b + 0.05);
  if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${element.className} ${element.textContent.slice(0, 30)}`);
}
return [...new Set(found)].slice(0, 8);
