import { isTooDeep, mostLevels } from "../providers/answer.ts";
import { isUtf8 } from "node:buffer";
import type * as zod from "zod/mini";
import { ProviderPreferences } from "#contract/routing.ts";
import { invalid, Refusal } from "../domain/refusal.ts";
import type { EmbeddingItem, EmbeddingPart, EncodingFormat } from "../providers/provider.ts";

/** An embeddings call as the caller sent it, checked. */
export interface EmbeddingsRequest {
  readonly model: string;
  readonly items: readonly EmbeddingItem[];
  readonly format: EncodingFormat;
  readonly dimensions: number | null;
  readonly inputType: string | null;
  readonly user: string | null;
  readonly preferences: ProviderPreferences;
  readonly sessionId: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** too long a text is cut at its end instead of refused */
  readonly truncate: boolean;
  /** members that are the vendor's */
  readonly extra: Readonly<Record<string, unknown>>;
}

type Json = Record<string, unknown>;

const largestBatch = 65_536;

/** A JSON object from a body's bytes. */
export function readJson(body: Buffer): Json {
  let value: unknown;
  try {
    if (!isUtf8(body)) throw new SyntaxError("not UTF-8");
    value = JSON.parse(body.toString("utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/".*/s, "").trim() : "";
    throw invalid("", `The request body is not valid JSON: ${reason.slice(0, 100) || "it breaks off"}`);
  }
  if (!isJson(value)) throw invalid("", "The request body must be a JSON object");
  if (isTooDeep(value)) throw invalid("", `The request body is nested deeper than ${mostLevels} levels`);
  return value;
}

/**
 * Checks an embeddings body by hand: a batch may hold thousands of texts.
 * @throws Refusal invalid_request, naming the member and what would be right
 */
export function readEmbeddingsRequest(body: Buffer): EmbeddingsRequest {
  const {
    model,
    input,
    encoding_format,
    dimensions,
    input_type,
    user,
    provider,
    session_id,
    trace,
    stream,
    truncate,
    truncation,
    ...extra
  } = readJson(body);
  if (typeof model !== "string" || model === "") throw invalid("model", "is required: the id of an embedding model");
  if (stream === true) throw invalid("stream", "is not possible for embeddings: the answer always comes whole");
  if (encoding_format !== undefined && encoding_format !== "float" && encoding_format !== "base64") {
    throw invalid("encoding_format", "must be float or base64");
  }
  if (dimensions !== undefined && !(Number.isSafeInteger(dimensions) && (dimensions as number) >= 1)) {
    throw invalid("dimensions", "must be a whole number of 1 or more");
  }
  return {
    model,
    items: readInput(input),
    format: encoding_format ?? "float",
    dimensions: (dimensions as number | undefined) ?? null,
    inputType: readText(input_type, "input_type", 100),
    user: readText(user, "user", 128),
    preferences: readPreferences(provider),
    sessionId: readText(session_id, "session_id", 256),
    trace: readTrace(trace),
    truncate: truncate === true || truncation === true || truncate === "END",
    extra,
  };
}

function readText(value: unknown, path: string, longest: number): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw invalid(path, "must be a string");
  if (value.length > longest) throw invalid(path, `must have at most ${longest} characters`);
  return value;
}

export function readTrace(value: unknown): Json | null {
  if (value === undefined || value === null) return null;
  if (!isJson(value)) throw invalid("trace", "must be an object");
  return value;
}

const noPreferences: ProviderPreferences = {};

/** `provider` of a model call; unknown members are refused. */
export function readPreferences(value: unknown): ProviderPreferences {
  if (value === undefined || value === null) return noPreferences;
  const result = ProviderPreferences.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(toIssues);
  const [first] = issues;
  throw new Refusal("invalid_request", `${first?.path ?? "provider"} ${first?.message ?? "is not right"}`, { issues });
}

function toIssues(issue: zod.core.$ZodIssue): { path: string; message: string }[] {
  const path = ["provider", ...issue.path].join(".");
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message || "is not right" }];
  return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "is not a known member" }));
}

function readInput(input: unknown): readonly EmbeddingItem[] {
  if (input === undefined || input === null) throw invalid("input", "is required: a text, or a list of texts");
  if (typeof input === "string") return [readItem(input, "input")];
  if (!Array.isArray(input)) throw invalid("input", "must be a string, or a list of strings, token ids or blocks");
  if (input.length === 0) throw invalid("input", "must hold at least one input");
  if (input.length > largestBatch) throw invalid("input", `must hold at most ${largestBatch} inputs`);
  if (typeof input[0] === "number") return [readTokens(input, "input")];
  const kind = kindOf(input[0]);
  return input.map((entry: unknown, index) => {
    if (kindOf(entry) !== kind) throw invalid(`input.${index}`, "must be of the same form as the first input");
    return readItem(entry, `input.${index}`);
  });
}

function kindOf(entry: unknown): string {
  return Array.isArray(entry) ? "tokens" : typeof entry;
}

function readItem(entry: unknown, path: string): EmbeddingItem {
  if (typeof entry === "string") {
    if (entry === "") throw invalid(path, "must not be empty");
    return { type: "text", text: entry };
  }
  if (Array.isArray(entry)) return readTokens(entry, path);
  if (!isJson(entry) || !Array.isArray(entry["content"]) || entry["content"].length === 0) {
    throw invalid(path, "must be a string, a list of token ids, or a block with a list `content`");
  }
  return { type: "block", parts: entry["content"].map((part, index) => readPart(part, `${path}.content.${index}`)) };
}

function readTokens(tokens: readonly unknown[], path: string): EmbeddingItem {
  if (tokens.length === 0) throw invalid(path, "must hold at least one token id");
  const wrong = tokens.findIndex((token) => !(Number.isSafeInteger(token) && (token as number) >= 0));
  if (wrong !== -1) throw invalid(`${path}.${wrong}`, "must be a token id: a whole number of 0 or more");
  return { type: "tokens", tokens: tokens as number[] };
}

function readPart(part: unknown, path: string): EmbeddingPart {
  if (!isJson(part)) throw invalid(path, "must be an object with a `type`");
  if (part["type"] === "text") {
    if (typeof part["text"] !== "string") throw invalid(`${path}.text`, "must be a string");
    return { type: "text", text: part["text"] };
  }
  if (part["type"] === "image_url") {
    const image = part["image_url"];
    if (!isJson(image) || typeof image["url"] !== "string" || image["url"] === "") {
      throw invalid(`${path}.image_url.url`, "must be an address or a data URL of an image");
    }
    return { type: "image_url", image_url: { url: image["url"] } };
  }
  throw invalid(`${path}.type`, "must be text or image_url");
}

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
