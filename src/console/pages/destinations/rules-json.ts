import type { RulesDraft } from "./rules.ts";

/** Rules read from text; or the line (from 1) at which something is wrong, and what. */
export type ReadRules = { rules: RulesDraft | null } | { line: number; message: string };

export const rulesText = (rules: RulesDraft | null): string => (rules === null ? "" : JSON.stringify(rules, null, 2));

/** Reads rules as JSON. Only the shape is asked for: fields, operators and members of a newer gateway are kept. */
export function readRulesJson(text: string): ReadRules {
  if (text.trim() === "" || text.trim() === "null") return { rules: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { line: lineOfSyntaxError(text, error), message: "This is not JSON" };
  }
  const wrong = wrongShape(value);
  return wrong ? { line: lineOf(text, wrong.path), message: wrong.message } : { rules: value as RulesDraft };
}

type Path = (string | number)[];

function wrongShape(value: unknown): { path: Path; message: string } | null {
  if (!isObject(value)) return { path: [], message: "Rules are an object with groups" };
  if (value["enabled"] !== undefined && typeof value["enabled"] !== "boolean")
    return { path: ["enabled"], message: "enabled is true or false" };
  const groups = value["groups"];
  if (!Array.isArray(groups)) return { path: ["groups"], message: "groups is a list" };
  for (const [at, group] of groups.entries()) {
    const path: Path = ["groups", at];
    if (!isObject(group)) return { path, message: "A group is an object with rules" };
    const rules = group["rules"];
    if (!Array.isArray(rules)) return { path: [...path, "rules"], message: "rules is a list" };
    if (group["logic"] !== undefined && group["logic"] !== "and" && group["logic"] !== "or")
      return { path: [...path, "logic"], message: "logic is and, or or" };
    const bad = rules.findIndex(
      (rule) => !isObject(rule) || typeof rule["field"] !== "string" || typeof rule["operator"] !== "string",
    );
    if (bad >= 0) return { path: [...path, "rules", bad], message: "A rule has a field and an operator" };
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;

function lineOfSyntaxError(text: string, error: unknown): number {
  const message = error instanceof Error ? error.message : "";
  const line = /line (\d+)/.exec(message)?.[1];
  const position = /position (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  return lineAt(text, position === undefined ? text.length : Number(position));
}

/** The line at which the value of a path begins, in text that is JSON. A member that is not there counts as its parent. */
function lineOf(text: string, path: Path): number {
  let at = 0;
  const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;
  const next = () => {
    token.lastIndex = at;
    const found = token.exec(text);
    at = token.lastIndex;
    return found?.[1] ?? "";
  };
  const start = () => at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
  function skip(): void {
    const first = next();
    if (first !== "{" && first !== "[") return;
    for (let depth = 1; depth > 0;) {
      const one = next();
      if (one === "{" || one === "[") depth += 1;
      if (one === "}" || one === "]" || one === "") depth -= 1;
    }
  }
  function find(depth: number): number {
    const begin = start();
    if (depth === path.length) return begin;
    const open = next();
    if (open !== "{" && open !== "[") return begin;
    for (let index = 0; ; index += 1) {
      const peek = text.slice(start(), start() + 1);
      if (peek === "}" || peek === "]" || peek === "") return begin;
      const name: string | number = open === "{" ? (JSON.parse(next()) as string) : index;
      if (open === "{") next();
      if (name === path[depth]) return find(depth + 1);
      skip();
      if (text.slice(start(), start() + 1) === ",") next();
    }
  }
  return lineAt(text, find(0));
}
