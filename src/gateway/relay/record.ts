import type { LedgerEntry } from "../domain/ledger-entry.ts";
import { Refusal } from "../domain/refusal.ts";
import { newGenerationId } from "../domain/generation-id.ts";
import type { ModelCall } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";

/** What is known of a call when it begins. */
export interface Begun {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  /** of `performance.now()` */
  readonly startedMs: number;
  readonly call: ModelCall;
}

export function begin({ deps }: RelayParts, call: ModelCall): Begun {
  const { workspaceId } = call.credential;
  if (workspaceId === null) throw new Error("a management key reached the relay");
  const createdAt = deps.now();
  return { id: newGenerationId(createdAt), workspaceId, createdAt, startedMs: performance.now(), call };
}

/** The error with the call's id in its headers: what failed is on the ledger too, and can be looked up. */
export function withId(error: unknown, { id }: Begun): unknown {
  if (error instanceof Refusal) error.details.headers = { ...error.details.headers, "x-generation-id": id };
  return error;
}

/** What a call turned out to be; the rest of its entry follows from how it began. */
export type Outcome = Pick<
  LedgerEntry,
  "apiType" | "model" | "provider" | "cost" | "externalUser" | "sessionId" | "trace" | "attempts"
> &
  Partial<LedgerEntry>;

/** The ledger entry of a call that ends now. */
export function entryOf({ id, workspaceId, createdAt, startedMs, call }: Begun, outcome: Outcome): LedgerEntry {
  const { credential, attribution, headers, requestId } = call;
  return {
    id,
    workspaceId,
    createdAt,
    keyHash: credential.hash,
    spendId: credential.spendId,
    status: 200,
    errorType: null,
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
    cachedTokens: 0,
    meteredBy: "upstream",
    priced: true,
    byok: false,
    byokCost: 0n,
    saved: 0n,
    inputs: 0,
    cachedInputs: 0,
    latencyMs: null,
    durationMs: performance.now() - startedMs,
    streamed: false,
    cancelled: false,
    finishReason: null,
    nativeFinishReason: null,
    upstreamId: null,
    httpReferer: attribution.referer,
    appTitle: attribution.title,
    userAgent: headers["user-agent"] ?? null,
    requestId,
    ...outcome,
  };
}
