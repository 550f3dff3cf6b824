import { memberSpendIdOf } from "../domain/guardrails/budgets.ts";
import { largestBody } from "#contract/generations.ts";
import { initialValues, type LedgerEntry } from "../domain/ledger/entry.ts";
import type { KeptBody } from "../domain/bodies/body.ts";
import { Refusal } from "../domain/refusal.ts";
import { newGenerationId } from "../domain/generation-id.ts";
import type { ModelCall } from "./model-call.ts";
import type { RelayDeps } from "./deps.ts";

/** What is known about a call when it starts. */
export interface CallContext {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  /** of `performance.now()` */
  readonly startedMs: number;
  readonly call: ModelCall;
}

export function startCall({ domain }: RelayDeps, call: ModelCall): CallContext {
  const { workspaceId } = call.credential;
  if (workspaceId === null) throw new Error("a management key reached the relay");
  const createdAt = domain.now();
  return { id: newGenerationId(createdAt), workspaceId, createdAt, startedMs: performance.now(), call };
}

/** The error with the call's id in its headers: a failed call is on the ledger too, and can be looked up. */
export function withId(error: unknown, { id }: CallContext): unknown {
  if (error instanceof Refusal) error.details.headers = { ...error.details.headers, "x-generation-id": id };
  return error;
}

/** Even at six JSON bytes per character, longer bodies exceed the limit: they need not be serialized to find out. */
const mostKeptBytes = 6 * largestBody;

interface Keeping {
  /** whether the workspace logs it */
  readonly logged: boolean;
  readonly body: () => KeptBody;
  /** the length of the vendor's answer, if it was a whole one */
  readonly answerBytes?: number;
}

/** A call's body, if it is needed and short enough to be stored. */
export function keepBody(
  { domain }: RelayDeps,
  { workspaceId, call }: CallContext,
  { logged, body, answerBytes = 0 }: Keeping,
) {
  return Math.max(call.body.length, answerBytes) > mostKeptBytes ? null : domain.bodies.keep(workspaceId, logged, body);
}

/** A call's result; the rest of its entry follows from how it started. */
export type Outcome = Pick<
  LedgerEntry,
  "apiType" | "model" | "provider" | "cost" | "externalUser" | "sessionId" | "trace" | "attempts"
> &
  Partial<LedgerEntry>;

/** The ledger entry of a call that ends now. */
export function toLedgerEntry(
  { id, workspaceId, createdAt, startedMs, call }: CallContext,
  outcome: Outcome,
): LedgerEntry {
  const { credential, attribution, headers, requestId, preset, contentFilters } = call;
  return {
    ...initialValues,
    id,
    workspaceId,
    createdAt,
    keyHash: credential.hash,
    spendId: credential.spendId,
    memberSpendId: memberSpendIdOf(credential),
    makerSpendId: credential.maker?.spendId ?? null,
    durationMs: performance.now() - startedMs,
    httpReferer: attribution.referer,
    appTitle: attribution.title,
    userAgent: headers["user-agent"] ?? null,
    requestId,
    batchId: call.background?.batchId ?? null,
    contentFilters: contentFilters ?? null,
    ...(preset !== undefined && { presetId: preset.id, preset: preset.slug, presetVersion: preset.version }),
    ...outcome,
  };
}
