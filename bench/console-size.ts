// What a browser downloads to show the console, from the build in dist/console. With --gate a missed figure is an error.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { furtherChunks } from "../setup/chunks.ts";
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

/** A chunk of a group goes by the group's name (setup/chunks.ts). */
const inGroup = (group: string) =>
  Object.keys(manifest).filter((name) => new RegExp(`^_${group}-[\\w-]{8}\\.js$`).test(name));

const shell = loadedBy(inGroup("shell"));
const first = loadedBy(inGroup("first"));
const ofPages = Object.keys(manifest).filter((name) => name.startsWith("src/console/pages/"));
const further = [...furtherChunks.flatMap(inGroup), ...ofPages];
const frame = loadedBy(inGroup("frame")).difference(first);
const shared = loadedBy(inGroup("shared")).difference(first).difference(frame);
const forms = loadedBy(inGroup("forms")).difference(first).difference(frame).difference(shared);
/** A request costs more than what so little code is worth apart. */
const smallest = 10_000;
const small = scripts().filter((name) => statSync(join(dist, "assets", name)).size < smallest);
const styles = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));

/** Panels that lie over a page, and its chunk. */
const partOf: Readonly<Record<string, string>> = {
  "destination-panels": "destinations",
  "provider-panels": "provider",
};

/** Routes and files that have a budget of their own, kB; every other further route has 25. */
const budgets: Readonly<Record<string, number>> = {
  destination: 45,
  playground: 45,
  // all panels of the keys, and what they share with a key's page
  "key-panels": 33,
  // 120 rows of 512 numbers at a byte each are 60 kB, and do not compress
  "playground/example-map.json": 70,
};

const gates: Gate[] = [
  { what: "first route (API keys), JavaScript", measured: kilobytes(first), atMost: 185, unit: "kB" },
  { what: "of which the shell (the aim is 145)", measured: kilobytes(shell), atMost: 155, unit: "kB" },
  { what: "first route, script files", measured: first.size, atMost: 3, unit: "files" },
  { what: "script files in all", measured: scripts().length, atMost: 52, unit: "files" },
  {
    what: "of which below 10 kB: parts of the playground, and the bundler's own",
    measured: small.length,
    atMost: 17,
    unit: "files",
  },
  {
    what: "the overview, opened by its address",
    measured: kilobytes(loadedBy(inGroup("overview"))),
    atMost: 238,
    unit: "kB",
  },
  { what: "what the frame fetches once it is drawn", measured: kilobytes(frame), atMost: 31, unit: "kB" },
  { what: "of it, script files", measured: frame.size, atMost: 3, unit: "files" },
  { what: "CSS, all of it", measured: kilobytes(styles), atMost: 16, unit: "kB" },
  { what: "what the other pages share, fetched as well", measured: kilobytes(shared), atMost: 24, unit: "kB" },
  {
    // with what shows a secret this once, of a key or a webhook
    what: "what forms and panels share, fetched once the first route is at rest",
    measured: kilobytes(forms),
    atMost: 32,
    unit: "kB",
  },
  ...further.map((name) => ({
    what: `further: ${shortName(name)}`,
    measured: kilobytes(
      loadedBy([name])
        .difference(first)
        .difference(frame)
        .difference(shared)
        .difference(forms)
        .difference(pageAround(name)),
    ),
    atMost: budgets[shortName(name)] ?? 25,
    unit: "kB",
  })),
  { what: "the playground's worker", measured: kilobytes(workerFiles(false)), atMost: 21, unit: "kB" },
  { what: "UMAP, fetched when it is asked for", measured: kilobytes(workerFiles(true)), atMost: 25, unit: "kB" },
];
const missed = printGates(
  "Console size, gzip -9 (a further route: what it adds to what the first one has fetched by then)",
  gates,
);
printTable(
  "For comparison: first-page JavaScript of other consoles, gzip, as measured for this project on 2026-11-20",
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

/** What a part of a page, fetched by itself, finds loaded. */
function pageAround(name: string): Set<string> {
  const page = ofPages.includes(name) ? name.split("/")[3] : partOf[shortName(name)];
  return page === undefined ? new Set() : loadedBy(inGroup(page === "destinations" ? "destination" : page));
}

/** As it is known in setup/chunks.ts, or in the source. */
function shortName(name: string): string {
  return name.replace("src/console/pages/", "").replace(/^_(.*)-[\w-]{8}\.js$/, "$1");
}

function scripts(): string[] {
  return readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".js"));
}

/** Workers are built apart from the pages and are not in the manifest: they are known by their names and contents. */
function workerFiles(umap: boolean): string[] {
  const all = scripts();
  const [worker] = all.filter((name) => name.startsWith("worker-"));
  if (worker === undefined) throw new Error("The build has no worker; give bench/console-size.ts its new name.");
  const text = readFileSync(join(dist, "assets", worker), "utf8");
  const fetched = all.filter((name) => name !== worker && text.includes(name));
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
