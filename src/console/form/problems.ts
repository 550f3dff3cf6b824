import type { FieldIssue } from "#contract/errors.ts";
import * as z from "zod/mini";
import { capital } from "../format.ts";

/** What is wrong, by field. */
export type FieldProblems = Record<string, string>;

/** How the API's members are called in the form, where the names differ; a path such as "options.api_version" goes first. */
export type FieldOfMember = Readonly<Record<string, string>>;

/** What the endpoint's own schema says about a body, by form field. The contract's messages begin with "must". */
export function schemaProblems(
  schema: z.core.$ZodType | null,
  body: unknown,
  fieldOf: FieldOfMember,
  labels: Readonly<Record<string, string>>,
): FieldProblems {
  if (schema === null) return {};
  const result = z.safeParse(schema, body);
  if (result.success) return {};
  const problems: FieldProblems = {};
  for (const { path, message } of result.error.issues) {
    const member = String(path[0] ?? "");
    const field = fieldOf[path.join(".")] ?? fieldOf[member] ?? member;
    problems[field] ??= sentence(labels[field] ?? field, message);
  }
  return problems;
}

/** Where a form shows what the server says of a member, and the name that the member's message reads on from. */
export type FindField = (path: string) => { field: string; label: string } | null;

/** Finds the fields of a form that has one for each member. */
export function fieldIn(fieldOf: FieldOfMember, labels: Readonly<Record<string, string>>): FindField {
  return (path) => {
    const member = path.split(".")[0] ?? "";
    const field = fieldOf[path] ?? fieldOf[member] ?? member;
    const label = labels[field];
    return label === undefined ? null : { field, label };
  };
}

/** The server's issues, split into those that belong to a field of this form and the rest. */
export function placeIssues(issues: readonly FieldIssue[], find: FindField): { placed: FieldProblems; rest: string[] } {
  const placed: FieldProblems = {};
  const rest: string[] = [];
  for (const { path, message } of issues) {
    const found = find(path);
    if (found) placed[found.field] ??= sentence(found.label, message);
    else rest.push(path === "" ? message : `${path}: ${message}`);
  }
  return { placed, rest };
}

/** "must have …" reads on from the label, if there is one; a message that is a sentence already stays as it is. */
function sentence(label: string, message: string): string {
  return label !== "" && /^\p{Ll}/u.test(message) ? `${label} ${message}` : capital(message);
}
