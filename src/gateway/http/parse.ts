import * as z from "zod/mini";
import type { Endpoint, Parsed } from "#contract/endpoint.ts";
import { fieldIssues, sentence, wordIssues } from "#contract/issues.ts";
import { invalid, Refusal } from "../domain/refusal.ts";

wordIssues();

/** A request's three parts as they arrived. */
interface Raw {
  params: unknown;
  query: unknown;
  /** the body's bytes; null where none came */
  body: Buffer | null;
}

/** Parses a request by its endpoint's schemas. Every wrong member of every part is in the refusal's `issues`. */
export function parseRequest<E extends Endpoint>(endpoint: E, raw: Raw): Parsed<E> {
  refuseUnstorable({ params: raw.params, query: raw.query });
  const params = z.safeParse(endpoint.params, raw.params);
  const query = z.safeParse(endpoint.query, raw.query);
  const body = endpoint.body === null ? null : z.safeParse(endpoint.body, parseJson(raw.body));
  const issues = [params, query, body].flatMap((part) => (part?.error ? fieldIssues(part.error.issues) : []));
  if (issues.length > 0) throw new Refusal("invalid_request", sentence(issues, "The request body"), { issues });
  return { params: params.data, query: query.data, body: body?.data } as Parsed<E>;
}

/** Drops what the contract does not have from an answer. An answer that does not fit the contract is a defect. */
export function shapeAnswer(endpoint: Endpoint, answer: unknown): unknown {
  const result = z.safeParse(endpoint.returns, answer);
  if (result.success) return result.data;
  const places = fieldIssues(result.error.issues).map((issue) => `${issue.path} ${issue.message}`);
  throw new Error(`the answer of ${endpoint.name} does not fit the contract: ${places.join("; ")}`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes a JSON body. The refusals say where it stops being UTF-8 or JSON, and never repeat what it holds. */
export function parseJson(body: Buffer | null): unknown {
  if (body === null || body.length === 0) throw invalid("", "The request body is missing: send a JSON object");
  const text = decode(body);
  const value = parseText(text);
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseUnstorable(value);
  return value;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalid("", "The request body is not valid UTF-8");
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text around the fault, which may be a secret: only the position is kept.
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw invalid(
      "",
      `The request body is not valid JSON${position === undefined ? "" : ` (at character ${position})`}`,
    );
  }
}

/** PostgreSQL keeps neither U+0000 nor half of a surrogate pair in a text. */
function refuseUnstorable(value: unknown): void {
  const pending: { path: string; value: unknown }[] = [{ path: "", value }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { path, value } = item;
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
      throw invalid(path, "must be well-formed text without the character U+0000");
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      pending.push({ path: path === "" ? key : `${path}.${key}`, value: member });
    }
  }
}
