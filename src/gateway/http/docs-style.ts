/** The reference page's style. Its colors are the console's tokens of the same names. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --bg-1: light-dark(oklch(0.985 0.005 88), oklch(0.204 0.004 62));
  --bg-2: light-dark(oklch(0.962 0.007 90), oklch(0.180 0.004 62));
  --bg-0: light-dark(oklch(0.997 0.002 90), oklch(0.240 0.005 62));
  --fg-1: light-dark(oklch(0.235 0.012 70), oklch(0.935 0.008 86));
  --fg-2: light-dark(oklch(0.435 0.013 72), oklch(0.765 0.010 84));
  --fg-3: light-dark(oklch(0.515 0.013 74), oklch(0.668 0.011 82));
  --line: light-dark(oklch(0.912 0.008 86), oklch(0.286 0.006 65));
  --line-2: light-dark(oklch(0.815 0.011 82), oklch(0.392 0.007 68));
  --line-field: light-dark(oklch(0.640 0.012 78), oklch(0.540 0.011 78));
  --accent: light-dark(oklch(0.458 0.078 190), oklch(0.792 0.085 186));
  --focus: light-dark(oklch(0.540 0.095 190), oklch(0.740 0.100 188));
  --sans: ui-sans-serif, -apple-system, "Segoe UI Variable Text", "Segoe UI", "Adwaita Sans", Inter, "Helvetica Neue", Helvetica, Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 24px; }
body { margin: 0; background: var(--bg-1); color: var(--fg-1); font: 13px/20px var(--sans); overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; }
p a, a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
code { font: 12px/18px var(--mono); overflow-wrap: anywhere; }
pre { margin: 12px 0 0; padding: 8px 12px; overflow-x: auto; background: var(--bg-2); border-radius: 4px; }
pre code { overflow-wrap: normal; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 16px; top: 8px; background: var(--bg-0); padding: 4px 8px; }
.frame { display: grid; grid-template-columns: 260px minmax(0, 1fr); min-height: 100vh; }
nav { background: var(--bg-2); border-right: 1px solid var(--line); padding: 16px; position: sticky; top: 0; height: 100vh; overflow-y: auto; }
nav .home { font: 600 16px/24px var(--sans); color: var(--fg-1); letter-spacing: -0.008em; }
nav label { display: block; margin-top: 16px; font: 600 12px/16px var(--sans); }
nav input { width: 100%; height: 32px; margin-top: 4px; padding: 0 8px; font: inherit; color: inherit; background: var(--bg-0); border: 1px solid var(--line-field); border-radius: 4px; }
nav h2 { margin: 20px 0 4px; font: 600 12px/16px var(--sans); color: var(--fg-2); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 4px 0; color: var(--fg-1); }
main { padding: 24px 32px 96px; max-width: 960px; }
h1 { margin: 0 0 8px; font: 600 20px/28px var(--sans); letter-spacing: -0.018em; }
main > h2 { margin: 48px 0 0; padding-bottom: 8px; border-bottom: 1px solid var(--line-2); font: 600 16px/24px var(--sans); letter-spacing: -0.008em; }
article { padding: 24px 0; border-bottom: 1px solid var(--line); }
article h3 { margin: 0; font: 600 14px/20px var(--sans); }
article h3 a { color: inherit; }
.route { margin: 4px 0 0; }
.route b { font-weight: 600; }
.who, .none { color: var(--fg-2); }
p { margin: 8px 0 0; max-width: 72ch; }
h4 { margin: 16px 0 4px; font: 600 12px/16px var(--sans); color: var(--fg-2); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th { font: 400 12px/16px var(--sans); color: var(--fg-3); text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line-2); }
td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:nth-child(1) { width: 36%; }
td small { display: block; color: var(--fg-3); font-size: 12px; line-height: 16px; }
.guide h2 { margin: 32px 0 0; padding-bottom: 8px; border-bottom: 1px solid var(--line-2); font: 600 16px/24px var(--sans); }
.guide h3 { margin: 24px 0 0; font: 600 14px/20px var(--sans); }
.guide ul, .guide ol { margin: 8px 0 0; padding-left: 20px; max-width: 72ch; }
.guide .wide { margin-top: 12px; overflow-x: auto; }
.guide table { table-layout: auto; min-width: 480px; }
.guide th:nth-child(1) { width: auto; }
nav [aria-current] { color: var(--accent); font-weight: 600; }
[hidden] { display: none; }
@media (max-width: 720px) {
  .frame { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul, nav h2 { display: none; }
  main { padding: 16px 16px 64px; }
}
`;

/**
 * The reference page's script: commands show the address that the page was loaded from, the search field hides what
 * does not match, and the console's theme is followed.
 */
export const docsScript = `
const theme = localStorage.getItem("gatehouse.theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

for (const origin of document.querySelectorAll(".origin")) origin.textContent = location.origin;

const field = document.querySelector("#find");
const status = document.querySelector("#found");
const operations = [...document.querySelectorAll("article")].map((article) => ({
  article,
  link: document.querySelector('nav a[href="#' + article.id + '"]').parentElement,
  text: article.textContent.toLowerCase(),
}));
const sections = [...document.querySelectorAll("[data-tag]")];

field?.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { article, link, text } of operations) {
    const matches = words.every((word) => text.includes(word));
    article.hidden = link.hidden = !matches;
    if (matches) shown += 1;
  }
  for (const section of sections) {
    section.hidden = !operations.some(({ article }) => article.dataset.of === section.dataset.tag && !article.hidden);
  }
  status.textContent = words.length === 0 ? "" : shown + " of " + operations.length + " operations";
});
`;
