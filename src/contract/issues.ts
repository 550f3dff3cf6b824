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

/** Makes schemas without a message of their own say what would be right. Called once by each program that parses. */
export function wordIssues(): void {
  z.config({ localeError: (issue) => wording(issue) });
}

/** Completes "<member> …". */
function wording(issue: z.core.$ZodRawIssue<z.core.$ZodIssue>): string {
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

/**
 * Zod's issues as the error envelope has them: one for each wrong place, the first that was found there. An unknown
 * member is its own place; of a union's branches the one that came furthest speaks.
 */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  const all = located(issues, []);
  return all.filter((issue, at) => all.findIndex((other) => other.path === issue.path) === at);
}

function located(issues: readonly z.core.$ZodIssue[], root: readonly PropertyKey[]): FieldIssue[] {
  return issues.flatMap((issue) => {
    const path = [...root, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: dotted([...path, key]), message: issue.message }));
    }
    const branch = issue.code === "invalid_union" && issue.message === noBranch ? furthest(issue.errors) : undefined;
    return branch ? located(branch, path) : [{ path: dotted(path), message: issue.message }];
  });
}

/** The branch whose first complaint lies deepest; among equals the one with the fewest complaints. */
function furthest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const depth = (branch: readonly z.core.$ZodIssue[]) => Math.max(...branch.map((issue) => issue.path.length));
  const complaints = (branch: readonly z.core.$ZodIssue[]) =>
    branch.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a) || complaints(a) - complaints(b))[0];
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** One sentence for people: the first issue, and how many more there are. */
export function sentence(issues: readonly FieldIssue[], whole: string): string {
  const [first, ...others] = issues;
  if (first === undefined) return `${whole} is not valid`;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${first.path === "" ? whole : first.path} ${first.message}${more}`;
}
