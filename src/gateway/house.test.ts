import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { api } from "#contract/api.ts";
import { auditedOperations } from "#contract/audit.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { describe, expect, it } from "vitest";
import { allRooms, domainRooms, mayImport, roomOf } from "./testing/walls.ts";
import { settings } from "./settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(root + file));
const code = files.filter((file) => /\.(ts|tsx|js)$/.test(file));
const tests = code.filter((file) => /\.(test|e2e)\.tsx?$/.test(file));
const read = (file: string) => readFileSync(root + file, "utf8");

/** The files among `candidates` that hold `pattern`, each with the first line that does. */
function offenders(candidates: string[], pattern: RegExp): string[] {
  return candidates.flatMap((file) => {
    const index = read(file)
      .split("\n")
      .findIndex((line) => pattern.test(line));
    return index === -1 ? [] : [`${file}:${index + 1}`];
  });
}

/** The project's files that a file imports. */
function importsOf(file: string): string[] {
  const modules = Array.from(read(file).matchAll(/\b(?:from|import)\s*\(?\s*"([#.][^"]+)"/g), ([, name = ""]) => name);
  return modules.map((name) => (name.startsWith("#") ? `src/${name.slice(1)}` : posix.join(posix.dirname(file), name)));
}

/** Files whose sentences people read: of the console, the contract and the gateway, but for what tests are made with. */
const spoken = code.filter(
  (file) =>
    file.startsWith("src/") && !tests.includes(file) && !/^src\/gateway\/(testing|storage\/migrations)\//.test(file),
);
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, "")).replaceAll(/(?<=^|\s)\/\/.*$/gm, "");

/** The groups of files that import one another in a circle: Tarjan's strongly connected components of two or more. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    open.push(file);
    let low = index;
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === index) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) found.push(group.toSorted());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

describe("the house", () => {
  it("has its front rooms", () => {
    const expected = [
      "README.md",
      "LICENSE",
      "package.json",
      "tsconfig.json",
      "vite.config.ts",
      "index.html",
      ".ci/run",
    ];
    const docs = ["docs/architecture.md", "docs/operating.md", "docs/scaling.md"];
    expect([...expected, ...docs].filter((file) => !files.includes(file))).toEqual([]);
  });

  it("has the rooms that the page about its architecture and the table of walls list", () => {
    const page = read("docs/architecture.md");
    const inDomain = [...new Set(files.flatMap((file) => /^src\/gateway\/domain\/([a-z-]+)\//.exec(file)?.[1] ?? []))];
    const rows = Array.from(page.matchAll(/^\| `([a-z-]+)\/` \|/gm), ([, room]) => room);
    expect(rows).toEqual([...domainRooms]);
    expect(rows.toSorted()).toEqual(inDomain.toSorted());
    const inGateway = [...new Set(files.flatMap((file) => /^src\/gateway\/([a-z-]+)\//.exec(file)?.[1] ?? []))];
    const section = page.split("\n## ").find((one) => one.startsWith("The gateway\n"));
    const onPage = Array.from(section?.matchAll(/^- \*\*([a-z-]+)\*\* /gm) ?? [], ([, room]) => room);
    expect(onPage.toSorted()).toEqual(inGateway.toSorted());
    const withCode = code.filter((file) => /^(src|e2e)\//.test(file)).map(roomOf);
    expect([...new Set(withCode)].toSorted()).toEqual([...allRooms].toSorted());
  });

  it("imports what the table of walls allows, and nothing else of another room", () => {
    const walled = code.filter((file) => /^(src|e2e)\//.test(file) && !tests.includes(file));
    const wrong = walled
      // The kernel's context lists what each room of the domain adds to it.
      .filter((file) => file !== "src/gateway/domain/context.ts")
      .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
      .filter(([file, imported]) => !mayImport(roomOf(file) ?? "", roomOf(imported) ?? ""))
      .map(([file, imported]) => `${file} imports ${imported}`);
    expect(wrong).toEqual([]);
  });

  it("imports in one direction, types included", () => {
    const graph = new Map(code.map((file) => [file, importsOf(file)]));
    // The kernel's context lists what each room of the domain adds to it.
    graph.set("src/gateway/domain/context.ts", []);
    expect(circles(graph)).toEqual([]);
  });

  it("tests every room of domain/ beside it, not over HTTP only", () => {
    const roomOf = (file: string) => /^src\/gateway\/domain\/([a-z-]+)\//.exec(file)?.[1] ?? [];
    const tested = new Set(tests.flatMap(roomOf));
    expect(code.flatMap(roomOf).filter((room) => !tested.has(room))).toEqual([]);
  });

  it("finds every file that the page about its architecture names", () => {
    const named = Array.from(
      read("docs/architecture.md").matchAll(/`([\w./-]+\.(?:tsx?|js|json|md))`/g),
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });

  it("writes no time of the database's clock in a migration: the clock is passed in", () => {
    const migrations = code.filter((file) => file.startsWith("src/gateway/storage/migrations/"));
    expect(migrations.length).toBeGreaterThan(20);
    const itsClock =
      /\b(now|(clock|statement|transaction)_timestamp)\s*\(\)|\b(current_(date|time|timestamp)|localtime(stamp)?)\b/i;
    expect(offenders(migrations, itsClock)).toEqual([]);
    expect(offenders(migrations, /Date\.now\(\)|new Date\(\)/)).toEqual([]);
  });

  it("has no folder that means somewhere", () => {
    const somewhere = /(^|\/)(features|hooks|utils?|lib|types|services|components|helpers|common|shared|misc)\//;
    expect(files.filter((file) => somewhere.test(file))).toEqual([]);
  });

  it("names component files PascalCase.tsx and the rest kebab-case", () => {
    const component = /^[A-Z][A-Za-z0-9]*(\.tsx|\.test\.tsx?)$/;
    const rest = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|e2e|config|bench))?\.(ts|js)$/;
    // JSX without being a component: the entry, the routes, a table's columns, a hook that hands out elements.
    const other = /^(main|routes|([a-z]+-)*columns|use(-[a-z]+)+)\.tsx$/;
    const wrong = code.filter((file) => {
      const name = basename(file);
      return !other.test(name) && !component.test(name) && !rest.test(name);
    });
    expect(wrong).toEqual([]);
  });

  it("has no barrels", () => {
    expect(code.filter((file) => /^index\.tsx?$/.test(basename(file)))).toEqual([]);
    expect(offenders(code, /^export \* from/)).toEqual([]);
  });

  it("skips no test and leaves no note for later", () => {
    expect(offenders(tests, /\b(it|test|describe)\.(skip|only|todo|fails)\b/)).toEqual([]);
    const note = new RegExp(`\\b(${["TO_DO", "FIX_ME", "XX_X"].join("|").replaceAll("_", "")})\\b`);
    expect(offenders(code, note)).toEqual([]);
  });

  it("names no machine's paths and no package registry", () => {
    const text = files.filter((file) => !/\.(png|jpg|ico|woff2|bin)$/.test(file));
    // Written so that this file does not offend itself.
    const machine = /[/]work[/]|[/]tmp[/](brief|bash)|registry[.]npmjs|npm[m]irror|deb[.]debian/;
    expect(offenders(text, machine)).toEqual([]);
  });

  it("writes sentences in an engineer's English", () => {
    // Translated word order and its words, in docs and in what the program says.
    const shunned =
      /(?:[a-z,;:] |^\s*)(?:anew|beside|nobody|whoever|stands(?! for)|(?:is|are|was|be) told|(?:go|goes|going) without|takes? away|let go|brought nothing|what is no (?!longer))(?=[ .,;:"'`]|$)(?! =)/i;
    const said = [...files.filter((file) => /^(README\.md|docs\/[\w-]+\.md)$/.test(file)), ...spoken];
    const lines = (file: string) => (file.endsWith(".md") ? read(file) : withoutComments(read(file))).split("\n");
    const stilted = said.flatMap((file) =>
      lines(file).flatMap((line, index) => (shunned.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(stilted).toEqual([]);
  });

  it("calls the variable that holds a key by one name", () => {
    const text = files.filter((file) => /\.(tsx?|js|md)$/.test(file));
    expect(offenders(text, /\bGATEWAY_(API_KEY|BASE_URL|MANAGEMENT_KEY)\b|\$(API|MANAGEMENT)_KEY\b/)).toEqual([]);
  });

  it("takes colours from tokens.css only", () => {
    const styled = files.filter(
      (file) => /^src\/console\/.*\.(tsx?|css)$/.test(file) && basename(file) !== "tokens.css",
    );
    const raw = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b(?=["';\s)])|\b(rgba?|hsla?|oklch|oklab|hwb|lch|lab)\(/i;
    expect(
      offenders(
        styled.filter((file) => !tests.includes(file)),
        raw,
      ),
    ).toEqual([]);
  });

  it("passes the clock in wherever a decision depends on it", () => {
    /** The files that read the machine's clock, each with its reason. */
    const readers: Readonly<Record<string, string>> = {
      "src/console/api/clock.ts": "corrects it by the gateway's",
      "src/console/vectors/worker.ts": "passes it in, in a worker, which loads nothing of the page",
      "src/gateway/app/forwarding-thread.ts": "passes it in, in a thread of its own",
      "src/gateway/commands.ts": "passes it in, for a command",
      "src/gateway/serve.ts": "passes it in, for a process that serves",
      "src/gateway/workers/supervise.ts": "writes it into log lines",
    };
    const clock = /\bDate\.now\b|\bDate\(\)/;
    const others = (file: string) => tests.includes(file) || file.startsWith("src/gateway/testing/");
    const reading = code.filter((file) => file.startsWith("src/") && !others(file) && clock.test(read(file)));
    expect(reading.toSorted()).toEqual(Object.keys(readers));
  });

  it("calls each endpoint as its constant, and says another operationId in the contract alone", () => {
    const endpoints = Object.entries<Endpoint>(api);
    expect(endpoints.filter(([constant, { name }]) => name !== constant)).toEqual([]);
    const ids = endpoints.flatMap(([, { name, operationId }]) => (operationId === name ? [] : [operationId]));
    const others = code.filter((file) => !file.startsWith("src/contract/") && !tests.includes(file));
    // "list" is the one that is an ordinary word
    const literal = new RegExp(`["'](${ids.filter((id) => id !== "list").join("|")})["']`);
    expect(offenders(others, literal)).toEqual([]);
  });

  it("has a short README, an index of its docs, and links that lead to a page", () => {
    expect(read("README.md").split("\n").length).toBeLessThan(120);
    const pages = files.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== "docs/README.md");
    const index = read("docs/README.md");
    expect(pages.filter((file) => !index.includes(`(${file.replace("docs/", "")})`))).toEqual([]);
    const broken = ["README.md", "docs/README.md", ...pages].flatMap((from) =>
      Array.from(read(from).matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, to = ""]) =>
        posix.join(posix.dirname(from), to),
      )
        .filter((to) => !existsSync(root + to))
        .map((to) => `${from}: ${to}`),
    );
    expect(broken).toEqual([]);
  });

  it("documents every setting, with its default", () => {
    const rows = Object.values(settings).map(
      ({ variable, fallback }) => `| \`${variable}\` | ${fallback === null ? "none" : `\`${fallback}\``} |`,
    );
    const table = read("docs/settings.md").replaceAll(/ +/g, " ");
    expect(rows.filter((row) => !table.includes(row))).toEqual([]);
  });

  it("finds from each module what its address names; the built console may not be there yet", () => {
    const addresses = code.flatMap((file) =>
      Array.from(read(file).matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g), ([, address = ""]) => ({
        from: file,
        path: fileURLToPath(new URL(address, pathToFileURL(root + file))),
      })),
    );
    const there = ({ path }: { path: string }) =>
      existsSync(path) || path === `${root}dist/console/` || path.startsWith(`${root}.cache/`);
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !there(address))).toEqual([]);
  });

  it("gives a reason for each lint rule that is off", () => {
    const reasons = read("docs/decisions/009-where-the-house-differs.md");
    const off = Array.from(read(".oxlintrc.json").matchAll(/"([\w/-]+)": "off"/g), ([, rule]) => rule);
    expect(off.filter((rule) => !reasons.includes(`\`${rule}\``))).toEqual([]);
  });

  it("keeps decisions short, numbered, dated, and with what they chose from and what would change them", () => {
    const decisions = files.filter((file) => file.startsWith("docs/decisions/"));
    expect(decisions.filter((file) => !/^docs\/decisions\/\d{3}-[a-z0-9-]+\.md$/.test(file))).toEqual([]);
    expect(decisions.filter((file) => !/^Date: \d{4}-\d{2}-\d{2}$/m.test(read(file)))).toEqual([]);
    expect(decisions.filter((file) => read(file).trimEnd().split("\n").length > 45)).toEqual([]);
    const parts = ["Context", "Choice", "Alternatives", "What would change it"];
    const lacks = (file: string) => parts.some((part) => !new RegExp(`^\\*\\*${part}\\.\\*\\*`, "m").test(read(file)));
    expect(decisions.filter(lacks)).toEqual([]);
  });
});

describe("the audit log", () => {
  it("offers every change that it records among its filters", () => {
    const verbs = code.filter((file) => file.startsWith("src/gateway/domain/") && !tests.includes(file));
    const recorded = verbs
      .filter((file) => read(file).includes("recordChange"))
      .flatMap((file) =>
        [...read(file).matchAll(/"(\w+)"/g)].flatMap(([, name = ""]) => {
          const named = Object.entries<Endpoint>(api).find(([constant]) => constant === name)?.[1];
          return named === undefined || named.method === "GET" ? [] : [named.operationId];
        }),
      );
    expect(recorded.length).toBeGreaterThan(40);
    expect(recorded.filter((action) => !auditedOperations.includes(action))).toEqual([]);
  });
});

describe("every endpoint", () => {
  const gatewayTests = tests.filter((file) => file.startsWith("src/gateway/") && !file.endsWith("house.test.ts"));
  const tested = gatewayTests.map(read).join("\n");

  it.each(Object.keys(api))("%s has a test at the gateway that names it", (name) => {
    expect(new RegExp(`\\b${name}\\b`).test(tested)).toBe(true);
  });
});
