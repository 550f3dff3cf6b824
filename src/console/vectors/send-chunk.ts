import type { Chunk } from "./plan.ts";
import type { Job } from "./protocol.ts";
import { type Answer, type Refused, unheard } from "./run-batch.ts";

interface Body {
  data: { index: number; embedding: string }[];
  usage?: { prompt_tokens: number; cost?: number };
  warnings?: { code: string; inputs: number[] }[];
}

interface Envelope {
  error?: {
    message?: string;
    availability?: { code?: unknown };
    metadata?: {
      index?: unknown;
      issues?: { path?: string }[];
      limit_kind?: unknown;
      provider_name?: unknown;
      reason?: unknown;
      previous_errors?: { cost?: number }[];
    };
  };
}

/** Makes one call of the gateway from the worker, with the session's cookie; the answer never goes through the page. */
export async function sendChunk(job: Job, chunk: Chunk, signal: AbortSignal): Promise<Answer | { refused: Refused }> {
  const began = performance.now();
  const body = {
    ...job.body,
    input: chunk.items.map((place) => job.items[place]?.input),
    encoding_format: "base64",
    ...(chunk.inputType === null ? {} : { input_type: chunk.inputType }),
  };
  try {
    const response = await fetch(job.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...job.headers },
      credentials: "same-origin",
      cache: "no-store",
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) return { refused: await refusalOf(response) };
    const { data, usage, warnings = [] } = (await response.json()) as Body;
    if (data.length !== chunk.items.length)
      return noAnswer("The answer has another number of vectors than was asked for.");
    const vectors = Array.from<string>({ length: data.length });
    for (const { index, embedding } of data) vectors[index] = embedding;
    return {
      vectors,
      tokens: usage?.prompt_tokens ?? 0,
      cost: usage?.cost ?? null,
      ms: performance.now() - began,
      generation: response.headers.get("x-generation-id"),
      spaces: (response.headers.get("x-vector-space") ?? "").split(/,\s*/).filter(Boolean),
      unfamiliar: warnings.flatMap(({ code, inputs }) => (code === "unfamiliar_language" ? inputs : [])),
    };
  } catch {
    return noAnswer("No answer from the gateway.");
  }
}

function noAnswer(message: string): { refused: Refused } {
  return {
    refused: { ...unheard, message },
  };
}

async function refusalOf(response: Response): Promise<Refused> {
  const envelope = (await response.json().catch(() => ({}))) as Envelope;
  const { message, metadata, availability } = envelope.error ?? {};
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const issue = /^input\.(\d+)/.exec(metadata?.issues?.[0]?.path ?? "")?.[1];
  const index = typeof metadata?.index === "number" ? metadata.index : issue === undefined ? null : Number(issue);
  const costs = metadata?.previous_errors?.flatMap(({ cost }) => cost ?? []) ?? [];
  return {
    status: response.status,
    message: message ?? `HTTP ${response.status}`,
    requestId: response.headers.get("x-request-id"),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
    reason: said(metadata?.limit_kind ?? availability?.code ?? metadata?.reason),
    provider: said(metadata?.provider_name),
    at: index,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost),
  };
}

function said(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
