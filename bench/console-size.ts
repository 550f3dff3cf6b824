// What a browser downloads to show the console, from the build in dist/console. With --gate a missed figure is an error.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { buildConsole } from "../setup/console.js";
import { root } from "../setup/run.js";
import { type Gate, printGates, printTable } from "./figures.ts";

const gate = process.argv.includes("--gate");
if (!gate) await buildConsole();

const Chunk = z.object({
  file: z.string(),
  imports: z.optional(z.array(z.string())),
  dynamicImports: z.optional(z.array(z.string())),
  css: z.optional(z.array(z.string())),
});
const dist = join(root, "dist", "console");
const manifest = z
  .record(z.string(), Chunk)
  .parse(JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8")));

const entry = "index.html";
/** A chunk of a group goes by the group's name (setup/chunks.ts). */
const inGroup = (group: string) => Object.keys(manifest).filter((name) => name.startsWith(`_${group}-`));

const shell = loadedBy([entry]);
const first = loadedBy([entry, ...inGroup("keys")]);
const further = Object.keys(manifest).filter((name) => name.startsWith("src/console/pages/"));
const forms = loadedBy(inGroup("forms")).difference(first);
const frame = loadedBy(inGroup("frame")).difference(first);
const styles = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));

/** Routes and files that have a budget of their own, kB; every other further route has 25. */
const budgets: Readonly<Record<string, number>> = {
  "src/console/pages/destinations/EditorPage.tsx": 45,
  "src/console/pages/playground/PlaygroundPage.tsx": 40,
  // 120 rows of 512 numbers at a byte each are 60 kB, and do not compress
  "src/console/pages/playground/example-map.json": 70,
};

const gates: Gate[] = [
  { what: "first route (API keys), JavaScript", measured: kilobytes(first), atMost: 185, unit: "kB" },
  { what: "of which the shell (the aim is 145)", measured: kilobytes(shell), atMost: 155, unit: "kB" },
  { what: "first route, script files", measured: first.size, atMost: 6, unit: "files" },
  { what: "what the frame fetches once it is drawn", measured: kilobytes(frame), atMost: 20, unit: "kB" },
  { what: "of it, script files", measured: frame.size, atMost: 3, unit: "files" },
  { what: "CSS, all of it", measured: kilobytes(styles), atMost: 15, unit: "kB" },
  {
    what: "what all forms share, fetched once the first route is at rest",
    measured: kilobytes(forms),
    atMost: 25,
    unit: "kB",
  },
  ...further.map((name) => ({
    what: `further: ${name.replace("src/console/pages/", "")}`,
    measured: kilobytes(
      loadedBy([name]).difference(first).difference(frame).difference(forms).difference(pageAround(name)),
    ),
    atMost: budgets[name] ?? 25,
    unit: "kB",
  })),
  { what: "the playground's worker", measured: kilobytes(workerFiles(false)), atMost: 15, unit: "kB" },
  { what: "UMAP, fetched when it is asked for", measured: kilobytes(workerFiles(true)), atMost: 25, unit: "kB" },
];
const missed = printGates(
  "Console size, gzip -9 (a further route: what it adds to what the first one has fetched by then)",
  gates,
);
printTable(
  "Beside it: first-page JavaScript of other consoles, gzip, as measured for this project on 2026-11-20",
  ["console", "kB"],
  [
    ["Flowise 3.1.4", 1839],
    ["LiteLLM (committed UI)", 1800],
    ["Unleash 7.5.1", 911],
    ["oxide console, August 2026", 271],
    ["Gatehouse", Math.round(kilobytes(first))],
  ],
);
if (gate && missed > 0) process.exitCode = 1;

/** What a part of a page, fetched by itself, finds loaded: the page whose code it shares. */
function pageAround(name: string): Set<string> {
  const files = loadedBy([name]);
  return loadedBy(further.filter((page) => page !== name && files.has(manifest[page]?.file ?? "")));
}

/** Workers are built apart from the pages and are not in the manifest: they are known by their names and contents. */
function workerFiles(umap: boolean): string[] {
  const scripts = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
  const [worker] = scripts.filter((name) => name.startsWith("worker-"));
  if (worker === undefined) throw new Error("The build has no worker; give bench/console-size.ts its new name.");
  const text = readFileSync(join(dist, "assets", worker), "utf8");
  const fetched = scripts.filter((name) => name !== worker && text.includes(name));
  const layout = fetched.filter((name) => readFileSync(join(dist, "assets", name), "utf8").includes("initializeFit("));
  if (layout.length === 0) throw new Error("The worker fetches no UMAP; say in bench/console-size.ts how to know it.");
  return (umap ? layout : [worker]).map((name) => join("assets", name));
}

/** Every script file that is loaded before the given modules can run. */
function loadedBy(names: string[]): Set<string> {
  const files = new Set<string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build has no chunk for ${name}; give bench/console-size.ts the page's new name.`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    queue.push(...(chunk.imports ?? []));
  }
  return files;
}

function kilobytes(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  return bytes / 1000;
}
