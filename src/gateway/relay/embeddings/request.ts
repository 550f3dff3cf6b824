import * as z from "zod/mini";
import { EmbeddingsBody, mostInputs } from "#contract/embeddings.ts";
import type { ProviderPreferences } from "#contract/routing.ts";
import { invalid, invalidMembers, Refusal } from "../../domain/refusal.ts";
import { given } from "../../providers/messages.ts";
import type { Turn } from "../../turns.ts";
import { holdsAtMost } from "../../write-json.ts";
import { readBody } from "../read-body.ts";
import { refuseOtherInputs } from "../refuse-other-inputs.ts";
import { isObject } from "../../providers/answer.ts";
import type { EmbeddingItem, EmbeddingPart, EncodingFormat } from "../../providers/provider.ts";

/** An embeddings call as the caller sent it, checked. */
export interface EmbeddingsRequest {
  readonly model: string;
  readonly items: readonly EmbeddingItem[];
  readonly format: EncodingFormat;
  readonly dimensions: number | null;
  readonly inputType: string | null;
  /** the first so many inputs are search queries and the rest documents; null: all are of `inputType` */
  readonly queries: number | null;
  readonly user: string | null;
  readonly preferences: ProviderPreferences;
  /** the vector space that the answer must be of; null: any */
  readonly requiredSpace: string | null;
  readonly sessionId: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** a text that is too long is cut at its end instead of refused */
  readonly truncate: boolean;
  /** members that are the vendor's */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Values in a body: most of them are token ids. */
const mostValues = 400_000;
/** Values in members that are the vendor's, each of which is looked at for what it may cost. */
const mostExtraValues = 20_000;

/** Everything but the inputs: a batch may have thousands, which a loop checks faster than a schema. */
const Members = z.omit(EmbeddingsBody, { input: true });

/** @throws Refusal invalid_request, naming the member and what would be valid */
export async function readEmbeddingsRequest(body: Buffer, turn: Turn): Promise<EmbeddingsRequest> {
  const { input, ...members } = await readBody(body, turn, mostValues);
  const checked = Members.safeParse(members);
  if (!checked.success) throw invalidMembers(checked.error.issues);
  const {
    model,
    encoding_format,
    dimensions,
    input_type,
    user,
    provider,
    session_id,
    trace,
    stream: _,
    truncate,
    truncation,
    ...extra
  } = checked.data;
  refuseOtherInputs(extra, "input");
  if (!holdsAtMost(extra, mostExtraValues))
    throw new Refusal("invalid_request", `The members other than input hold more than ${mostExtraValues} values`);
  const { require_vector_space, ...preferences } = provider ?? {};
  return {
    model,
    items: readInput(input),
    format: encoding_format ?? "float",
    dimensions: dimensions ?? null,
    inputType: input_type ?? null,
    queries: null,
    user: user ?? null,
    preferences,
    requiredSpace: require_vector_space ?? null,
    sessionId: session_id ?? null,
    trace: trace ?? null,
    truncate: truncate === true || truncate === "END" || truncation === true,
    // Vendors refuse null for what they do not know.
    extra: given(extra),
  };
}

/** `input` as the contract has it. */
function readInput(input: unknown): readonly EmbeddingItem[] {
  if (input === undefined || input === null) throw invalid("input", "is required: a text, or a list of texts");
  if (typeof input === "string") return [readItem(input, "input")];
  if (!Array.isArray(input)) throw invalid("input", "must be a string, or a list of strings, token ids or blocks");
  if (input.length === 0) throw invalid("input", "must hold at least one input");
  if (typeof input[0] === "number") return [readTokens(input, "input")];
  if (input.length > mostInputs) throw invalid("input", `must hold at most ${mostInputs} inputs`);
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
  if (!isObject(entry) || !Array.isArray(entry["content"]) || entry["content"].length === 0) {
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
  if (!isObject(part)) throw invalid(path, "must be an object with a `type`");
  if (part["type"] === "text") {
    if (typeof part["text"] !== "string") throw invalid(`${path}.text`, "must be a string");
    return { type: "text", text: part["text"] };
  }
  if (part["type"] === "image_url") {
    const image = part["image_url"];
    if (!isObject(image) || typeof image["url"] !== "string" || image["url"] === "") {
      throw invalid(`${path}.image_url.url`, "must be an address or a data URL of an image");
    }
    return { type: "image_url", image_url: { url: image["url"] } };
  }
  throw invalid(`${path}.type`, "must be text or image_url");
}
