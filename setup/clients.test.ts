import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { programs } from "./programs.ts";
import { root } from "./run.js";

const read = (file: string) => readFileSync(join(root, file), "utf8");

it("docs/clients.md names the versions of the programs that the tests run", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: Record<string, string> };
  const installed: [string, string][] = Object.entries(devDependencies).map(([name, version]) => {
    const [, real, aliased] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
    return [real ?? name, aliased ?? version];
  });
  const versionsOf = (name: string) =>
    installed.flatMap(([each, version]) => (each === name ? [version] : [])).toSorted();
  const { "@anthropic-ai/claude-code": claudeCode, "@openai/codex": codex } = programs;
  const agents: Record<string, string[]> = { "Claude Code": [claudeCode], Codex: [codex] };
  const rows = [
    ...read("docs/clients.md").matchAll(/^\| (?:`([^`]+)`|([A-Z]\w+(?: [A-Z]\w+)*))[^|]*\| ([\d., ]+) \|/gm),
  ];
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.map(([, name, agent, versions]) => [name ?? agent, versions?.split(", ")])).toEqual(
    rows.map(([, name, agent]) => [name ?? agent, agents[agent ?? ""] ?? versionsOf(name ?? "")]),
  );
});
