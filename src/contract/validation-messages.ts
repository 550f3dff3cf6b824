import * as z from "zod/mini";
import type { FieldIssue } from "./errors.ts";

const noBranch = "has none of the accepted forms";

const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const formatNames: Record<string, string> = {
  uuid: "a UUID",
  guid: "a UUID",
  url: "a URL",
  email: "an e-mail address",
  datetime: "an ISO 8601 date and time",
  date: "an ISO 8601 date, such as 2027-01-31",
};

const units: Record<string, string> = { string: "character", array: "element", set: "element" };

/** Gives schemas without a custom message one that says what is valid. Called once by each program that parses. */
export function wordIssues(): void {
  z.config({ localeError: (issue) => wording(issue) });
}

/** Completes "<member> …". */
function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      if (issue.expected === "never") return "cannot be given here";
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
    case "too_big":
      return sizeWording(issue);
    case "invalid_format":
      return `must be ${formatNames[issue.format] ?? `in the form ${issue.format}`}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "is not a member that can be given here";
    case "invalid_union":
      return noBranch;
    default:
      return "is not valid";
  }
}

function sizeWording(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const unit = units[issue.origin];
  const bound = issue.code === "too_small" ? issue.minimum : issue.maximum;
  const word = issue.code === "too_small" ? "at least" : "at most";
  if (unit !== undefined) return `must have ${word} ${bound} ${unit}${bound === 1 ? "" : "s"}`;
  if (issue.inclusive === false) return `must be ${issue.code === "too_small" ? "more" : "less"} than ${bound}`;
  return `must be ${word} ${bound}`;
}

/** The most invalid paths that one answer lists; it gives the number of the rest. */
const mostListed = 20;
/** A member's name comes from the caller and may be as long as the body. */
const longestPath = 200;

/** What is wrong with a value: the first paths, and the total. */
interface WrongPaths {
  readonly issues: FieldIssue[];
  readonly total: number;
}

/**
 * Zod's issues in the error envelope's form: one per invalid path, the first that was found there. An unknown member
 * has a path of its own; of a union's branches, the one that parsed furthest is reported.
 */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): WrongPaths {
  const paths = new Map<string, FieldIssue | null>();
  for (const { path, message } of located(issues, [])) {
    const full = dotted(path);
    if (!paths.has(full)) paths.set(full, paths.size < mostListed ? { path: shown(full), message } : null);
  }
  return { issues: [...paths.values()].slice(0, mostListed).filter((issue) => issue !== null), total: paths.size };
}

interface Located {
  path: readonly PropertyKey[];
  message: string;
}

function* located(issues: readonly z.core.$ZodIssue[], root: readonly PropertyKey[]): Generator<Located> {
  for (const issue of issues) {
    const path = [...root, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) yield { path: [...path, key], message: issue.message };
      continue;
    }
    const branch = issue.code === "invalid_union" && issue.message === noBranch ? furthest(issue.errors) : undefined;
    if (branch) yield* located(branch, path);
    else yield { path, message: issue.message };
  }
}

function shown(path: string): string {
  return path.length <= longestPath ? path : `${path.slice(0, longestPath)}…`;
}

/** The branch whose first issue is deepest; among equals, the one with the fewest issues. */
function furthest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const depth = (branch: readonly z.core.$ZodIssue[]) =>
    branch.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
  const complaints = (branch: readonly z.core.$ZodIssue[]) =>
    branch.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a) || complaints(a) - complaints(b))[0];
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** One sentence for people: the first path, and how many more there are. */
export function sentence({ issues: [first], total }: WrongPaths, whole: string): string {
  if (first === undefined) return `${whole} is not valid`;
  const more = total === 1 ? "" : ` (and ${total - 1} more)`;
  return `${first.path === "" ? whole : first.path} ${first.message}${more}`;
}
