import { RE2JS } from "re2js";
import { patternProblem } from "./pattern.ts";

/** Steps of the programs of a guardrail's patterns together: the longest pattern alone is one of 100,000 characters. */
export const mostSteps = 120_000;

/** Why a pattern is refused. */
export interface PatternProblem {
  readonly index: number;
  readonly problem: string;
}

/** What is wrong with the first wrong one of these patterns; null: all of them can be used. It takes its time. */
export function checkPatterns(patterns: readonly string[]): PatternProblem | null {
  let steps = 0;
  for (const [index, pattern] of patterns.entries()) {
    const problem = patternProblem(pattern) ?? compileProblem(pattern);
    if (typeof problem === "string") return { index, problem };
    steps += problem.programSize();
    if (steps > mostSteps) {
      const what = `with it the patterns compile to ${steps} steps, and ${mostSteps} is the most`;
      return { index, problem: what };
    }
  }
  return null;
}

function compileProblem(pattern: string): string | RE2JS {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.test("") ? "it matches an empty text, and so every text" : compiled;
  } catch (error) {
    return `RE2 does not compile it: ${error instanceof Error ? error.message : "its form is not known"}`;
  }
}
