// The structure of a checkout: files, lines, functions, what the types are talked out of, and which room imports which.
// It reads files and runs none, so that commits compare: check an older one out and name its folder.
// Usage: node bench/structure.ts [folder, default this checkout]
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { root } from "../setup/run.js";
import { median, percentile, printTable } from "./figures.ts";

const checkout = process.argv[2] ?? root;
const rooms = ["contract", "gateway", "console"] as const;
const groups = [...rooms, "e2e", "bench", "setup"] as const;
type Group = (typeof groups)[number];
const longFunction = 60;
const veryLongFunction = 120;
const manyParameters = 5;

interface SourceFunction {
  name: string;
  at: string;
  lines: number;
  positional: number;
}

interface Source {
  path: string;
  group: Group;
  isTest: boolean;
  lines: number;
  functions: SourceFunction[];
  casts: number;
  doubleCasts: number;
  nonNull: number;
  effects: number;
  disables: number;
  /** the files that it imports values from */
  imports: string[];
}

const sources = groups.flatMap((group) => {
  const folder = rooms.some((room) => room === group) ? join("src", group) : group;
  return readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|js)$/.test(name))
    .map((name) => readSource(join(folder, name), group));
});
const ownInRooms = sources.filter(({ isTest, group }) => !isTest && rooms.some((room) => room === group));

printTable(
  "Files and lines (tests: .test and .e2e files and gateway/testing; median, p95 and longest: of the others)",
  ["room", "files", "lines", "test files", "test lines", "median", "p95", "longest", "longest file"],
  [
    ...groups.map((group) => [group, ...sizes(sources.filter((each) => each.group === group))]),
    ["all", ...sizes(sources)],
  ],
);
const effects = (of: readonly Source[]) => sum(of, (each) => each.effects);
const inCode: [string, (of: readonly Source[]) => number][] = [
  [`functions above ${longFunction} lines`, (of) => longerThan(of, longFunction).length],
  [`functions above ${veryLongFunction} lines`, (of) => longerThan(of, veryLongFunction).length],
  ["longest function, lines", (of) => Math.max(0, ...functionsOf(of).map(({ lines }) => lines))],
  [`functions with ${manyParameters} or more positional parameters`, (of) => withManyParameters(of).length],
  ["effects", effects],
  ["effects per 1,000 lines", (of) => Math.round((10_000 * effects(of)) / sum(of, ({ lines }) => lines)) / 10],
];
const everywhere: typeof inCode = [
  ["casts (`as` without `as const`)", (of) => sum(of, ({ casts }) => casts)],
  ["of these `as unknown as`", (of) => sum(of, ({ doubleCasts }) => doubleCasts)],
  ["non-null `!`", (of) => sum(of, ({ nonNull }) => nonNull)],
  ["rules disabled in a file", (of) => sum(of, ({ disables }) => disables)],
];
const rest = sources.filter((each) => !ownInRooms.includes(each));
const inRooms = (count: (of: readonly Source[]) => number) =>
  rooms.map((room) => count(ownInRooms.filter(({ group }) => group === room)));
printTable(
  "In the code",
  ["what", ...rooms, "tests, e2e, bench, setup"],
  [
    ...inCode.map(([what, count]) => [what, ...inRooms(count), ""]),
    ...everywhere.map(([what, count]) => [what, ...inRooms(count), count(rest)]),
  ],
);
printTable(
  `Functions above ${veryLongFunction} lines`,
  ["function", "lines", "where"],
  longerThan(ownInRooms, veryLongFunction)
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ name, lines, at }) => [name, lines, at]),
);
printTable(
  `Functions with ${manyParameters} or more positional parameters`,
  ["function", "parameters", "where"],
  withManyParameters(ownInRooms).map(({ name, positional, at }) => [name, positional, at]),
);
printRulesOff();
printArrows();

function sizes(of: readonly Source[]): (string | number)[] {
  const [code, tests] = [of.filter(({ isTest }) => !isTest), of.filter(({ isTest }) => isTest)];
  const lines = code.map((each) => each.lines);
  const longest = Math.max(...lines);
  return [
    code.length,
    sum(code, (each) => each.lines),
    tests.length,
    sum(tests, (each) => each.lines),
    median(lines),
    percentile(lines, 95),
    longest,
    code.find((each) => each.lines === longest)?.path ?? "",
  ];
}

function printRulesOff(): void {
  const config = JSON.parse(readFileSync(join(checkout, ".oxlintrc.json"), "utf8")) as LintConfig;
  const off = [{ ...config, files: ["everything"] }, ...(config.overrides ?? [])].flatMap(({ files, rules = {} }) => {
    const names = Object.entries(rules).flatMap(([rule, severity]) => ([severity].flat()[0] === "off" ? [rule] : []));
    return names.length === 0 ? [] : [{ files: files.join(", "), names }];
  });
  console.log(`\nLint rules off: ${off.reduce((count, { names }) => count + names.length, 0)}\n`);
  for (const { files, names } of off) console.log(`- ${files}: ${names.length} (${names.join(", ")})`);
}

interface LintConfig {
  rules?: Record<string, unknown>;
  overrides?: { files: string[]; rules?: Record<string, unknown> }[];
}

/** Which room imports values from which, and the circles among them. */
function printArrows(): void {
  const arrows = new Map<string, Map<string, number>>();
  for (const { path, imports } of ownInRooms) {
    const from = roomOf(path);
    for (const to of new Set(imports.map(roomOf))) {
      if (to === from) continue;
      const row = arrows.get(from) ?? new Map<string, number>();
      arrows.set(from, row.set(to, (row.get(to) ?? 0) + 1));
    }
  }
  const names = [...new Set(ownInRooms.map(({ path }) => roomOf(path)))].toSorted();
  const folders = names.filter((name) => !/\.tsx?$/.test(name));
  const next = (name: string) => [...(arrows.get(name) ?? [])].toSorted(([, a], [, b]) => b - a);
  const between = folders.map((name) => ({ name, to: next(name).filter(([to]) => folders.includes(to)) }));
  const total = between.reduce((count, { to }) => count + to.length, 0);
  console.log(`\n${folders.length} rooms, ${total} arrows between them (in brackets: the files with such an import)\n`);
  for (const { name, to } of between) {
    const files = ownInRooms.filter(({ path }) => roomOf(path) === name).length;
    const targets = to.map(([room, count]) => `${room} (${count})`).join(", ");
    console.log(`- ${name}, ${files} files → ${to.length === 0 ? "none" : `${to.length}: ${targets}`}`);
  }
  const circles = circlesOf(names, (name) => next(name).map(([to]) => to));
  console.log(`\nRooms that import each other in a circle: ${circles.length === 0 ? "none" : ""}\n`);
  for (const circle of circles) console.log(`- ${circle.join(", ")}`);
}

/** Groups of rooms in which each reaches each. */
function circlesOf(names: readonly string[], next: (name: string) => string[]): string[][] {
  const reachable = new Map(
    names.map((name) => {
      const seen = new Set<string>();
      const queue = next(name);
      for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
        if (seen.has(at)) continue;
        seen.add(at);
        queue.push(...next(at));
      }
      return [name, seen];
    }),
  );
  const reaches = (from: string, to: string) => reachable.get(from)?.has(to) ?? false;
  const circles = names.map((name) => names.filter((other) => reaches(name, other) && reaches(other, name)));
  return circles.filter((circle, index) => circle.length > 1 && circle[0] === names[index]);
}

/** A folder of the gateway, its domain, the console or its pages; a file next to those folders is a room of its own. */
function roomOf(path: string): string {
  const [, group = "", ...below] = path.split("/");
  if (group === "contract") return group;
  if (below.length === 1) return `${group}/${below[0]}`;
  const nested = /^(domain|pages)$/.test(below[0] ?? "") && below.length > 2;
  return [group, ...below.slice(0, nested ? 2 : 1)].join("/");
}

function functionsOf(of: readonly Source[]): SourceFunction[] {
  return of.flatMap(({ functions }) => functions);
}

function longerThan(of: readonly Source[], lines: number): SourceFunction[] {
  return functionsOf(of).filter((each) => each.lines > lines);
}

function withManyParameters(of: readonly Source[]): SourceFunction[] {
  return functionsOf(of).filter(({ positional }) => positional >= manyParameters);
}

function sum(of: readonly Source[], figure: (source: Source) => number): number {
  return of.reduce((total, source) => total + figure(source), 0);
}

function readSource(path: string, group: Group): Source {
  const text = readFileSync(join(checkout, path), "utf8");
  const { program, comments, errors } = parseSync(basename(path), text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const newlines = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const lineAt = (offset: number) => newlines.filter((index) => index < offset).length + 1;
  const source: Source = {
    path,
    group,
    isTest: /\.(test|e2e)\.tsx?$/.test(path) || path.startsWith("src/gateway/testing/"),
    lines: newlines.length,
    functions: [],
    casts: 0,
    doubleCasts: 0,
    nonNull: 0,
    effects: 0,
    disables: comments.filter(({ value }) => /\b(oxlint|eslint)-disable|@ts-(ignore|expect-error|nocheck)/.test(value))
      .length,
    imports: [],
  };
  /** what a function without a name of its own is assigned to */
  const named = new Map<unknown, string>();
  const noteFunction = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
    if (node.body === null) return;
    const first = lineAt(node.start);
    source.functions.push({
      name: node.id?.name ?? named.get(node) ?? "a callback",
      at: `${path}:${first}`,
      lines: lineAt(node.end) - first + 1,
      positional: node.params.filter((each) => !(each.type === "Identifier" && each.name === "this")).length,
    });
  };
  const noteImport = (from: string) => {
    const target = from.startsWith("#")
      ? join("src", from.slice(1))
      : from.startsWith(".")
        ? join(dirname(path), from)
        : null;
    if (target !== null) source.imports.push(relative(".", target));
  };
  const nameKey = (key: ESTree.PropertyKey, value: unknown) => {
    if (key.type === "Identifier" || key.type === "PrivateIdentifier") named.set(value, key.name);
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => void (id.type === "Identifier" && named.set(init, id.name)),
    Property: ({ key, value }) => nameKey(key, value),
    MethodDefinition: ({ key, value }) => nameKey(key, value),
    PropertyDefinition: ({ key, value }) => nameKey(key, value),
    FunctionDeclaration: noteFunction,
    FunctionExpression: noteFunction,
    ArrowFunctionExpression: noteFunction,
    TSAsExpression: ({ typeAnnotation: to, expression: of }) => {
      if (to.type === "TSTypeReference" && to.typeName.type === "Identifier" && to.typeName.name === "const") return;
      // `as unknown as T` is one cast in two steps.
      if (of.type === "TSAsExpression" && of.typeAnnotation.type === "TSUnknownKeyword") source.doubleCasts += 1;
      else source.casts += 1;
    },
    TSNonNullExpression: () => void (source.nonNull += 1),
    CallExpression: ({ callee }) => {
      const name = callee.type === "MemberExpression" ? callee.property : callee;
      if (name.type === "Identifier" && /^use(Layout)?Effect$/.test(name.name)) source.effects += 1;
    },
    ImportDeclaration: ({ importKind, specifiers, source: from }) => {
      const types = specifiers.filter((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      const onlyTypes = importKind === "type" || (specifiers.length > 0 && types.length === specifiers.length);
      if (!onlyTypes) noteImport(from.value);
    },
    ExportNamedDeclaration: ({ exportKind, source: from }) => {
      if (from !== null && exportKind !== "type") noteImport(from.value);
    },
    ImportExpression: ({ source: from }) => {
      if (from.type === "Literal" && typeof from.value === "string") noteImport(from.value);
    },
  }).visit(program);
  return source;
}
