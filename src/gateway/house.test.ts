import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { api } from "#contract/api.ts";
import { describe, expect, it } from "vitest";
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
    const deciding = code.filter(
      (file) => /^src\/(contract|gateway\/(domain|relay))\//.test(file) && !tests.includes(file),
    );
    expect(offenders(deciding, /\bDate\.now\(|\bnew Date\(\)/)).toEqual([]);
  });

  it("documents every setting, with its default", () => {
    const rows = Object.values(settings).map(
      ({ variable, fallback }) => `| \`${variable}\` | ${fallback === null ? "none" : `\`${fallback}\``} |`,
    );
    const readme = read("README.md").replaceAll(/ +/g, " ");
    expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
  });

  it("keeps decisions short, numbered and dated", () => {
    const decisions = files.filter((file) => file.startsWith("docs/decisions/"));
    expect(decisions.filter((file) => !/^docs\/decisions\/\d{3}-[a-z0-9-]+\.md$/.test(file))).toEqual([]);
    expect(decisions.filter((file) => !/^Date: \d{4}-\d{2}-\d{2}$/m.test(read(file)))).toEqual([]);
    expect(decisions.filter((file) => read(file).trimEnd().split("\n").length > 25)).toEqual([]);
  });
});

describe("every endpoint", () => {
  const gatewayTests = tests.filter((file) => file.startsWith("src/gateway/") && !file.endsWith("house.test.ts"));
  const tested = gatewayTests.map(read).join("\n");

  it.each(Object.keys(api))("%s has a test at the gateway that names it", (name) => {
    expect(new RegExp(`\\b${name}\\b`).test(tested)).toBe(true);
  });
});
