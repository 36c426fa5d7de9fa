// Light, dark, or what the system prefers. The choice is kept in this browser.

const THEMES = ["auto", "light", "dark"];

// A file that is opened from a disk may have no storage.
const stored = {
  get: () => { try { return localStorage.getItem("aggctl-theme"); } catch { return null; } },
  set: (theme) => { try { localStorage.setItem("aggctl-theme", theme); } catch {} },
};

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  put(byId("theme"), `Theme: ${theme}`);
}

byId("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  stored.set(next);
  setTheme(next);
});
setTheme(THEMES.includes(stored.get()) ? stored.get() : "auto");
