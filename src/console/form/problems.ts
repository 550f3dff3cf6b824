import type { FieldIssue } from "#contract/errors.ts";
import * as z from "zod/mini";

/** What is wrong, by field. */
export type FieldProblems = Record<string, string>;

/** How the API's members are called in the form, where the names differ. */
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
    const field = fieldOf[member] ?? member;
    problems[field] ??= sentence(labels[field] ?? field, message);
  }
  return problems;
}

/** The server's issues, split into those that belong to a field of this form and the rest. */
export function placeIssues(
  issues: readonly FieldIssue[],
  fieldOf: FieldOfMember,
  labels: Readonly<Record<string, string>>,
): { placed: FieldProblems; rest: string[] } {
  const placed: FieldProblems = {};
  const rest: string[] = [];
  for (const { path, message } of issues) {
    const member = path.split(".")[0] ?? "";
    const field = fieldOf[member] ?? member;
    if (field in labels) placed[field] ??= sentence(labels[field] ?? field, message);
    else rest.push(path === "" ? message : `${path}: ${message}`);
  }
  return { placed, rest };
}

/** "must have …" reads on from the label; a message that is a sentence already stays as it is. */
function sentence(label: string, message: string): string {
  return /^(must|is|has|cannot) /.test(message) ? `${label} ${message}` : message;
}
