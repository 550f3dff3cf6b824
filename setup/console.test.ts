import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copySources, packages, viteBuild } from "./console.js";
import { root } from "./run.js";

it("the console is built from what a first start copies, apart from the gateway", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-console-test-")));
  try {
    copySources(folder);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    await viteBuild(folder);
    expect(readFileSync(join(folder, "dist", "console", "index.html"), "utf8")).toContain('name="gatehouse-chunks-');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);

it("every package that the console's code imports is installed for that build", () => {
  const files = globSync(["src/{console,contract}/**/*.{ts,tsx,css}", "vite.config.ts"], { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const imported = files.flatMap((text) =>
    Array.from(text.matchAll(/(?:from|import) \(?"((?:@[a-z-]+\/)?[a-z][\w.:-]*)/g), ([, name = ""]) => name),
  );
  expect(imported).toContain("react");
  const builtIn = (name: string) => name.startsWith("node:");
  expect([...new Set(imported)].filter((name) => !builtIn(name) && !packages.includes(name))).toEqual([]);
});
