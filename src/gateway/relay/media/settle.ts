import type { Settlement } from "../../domain/ledger/ledger.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { RelayDeps } from "../deps.ts";
import { settleCall, settleUnansweredCall } from "../settle-call.ts";
import { type MediaAmount, mediaCost, type MediaRequest } from "./kind.ts";
import type { MediaRun } from "./run.ts";

/** The outcome of a call. */
export interface MediaEnd {
  /** the candidate that served; null: none did */
  readonly candidate: Candidate | null;
  /** what it is charged for, if a candidate served */
  readonly billed: MediaAmount;
  readonly meteredBy: "upstream" | "gateway";
  readonly latencyMs: number | null;
  readonly upstreamId: string | null;
  readonly cancelled: boolean;
  /** it was sent as events; default: false */
  readonly streamed?: boolean;
  /** what went wrong; null: nothing */
  readonly error: unknown;
  /** the answer's text; absent: it has none */
  readonly said?: string;
}

/** Charges what the call cost, and what providers that did not answer may bill. */
export function settleMedia<R extends MediaRequest>(
  deps: RelayDeps,
  run: MediaRun<R>,
  { candidate, billed, error, said, ...end }: MediaEnd,
): Settlement {
  const { kind, request } = run;
  const { promptTokens, completionTokens, media } = candidate === null ? nothing : billed;
  return settleCall(deps, run, {
    apiType: kind.apiType,
    candidate,
    cost: candidate === null ? 0n : mediaCost(candidate, billed),
    tokens: promptTokens + completionTokens,
    error,
    body: () => kind.body(request, said ?? null),
    entry: { promptTokens, completionTokens, unit: media?.unit ?? null, units: media?.units ?? null, ...end },
  });
}

const nothing = { promptTokens: 0, completionTokens: 0, media: null };

/** Charges a call that no candidate answered. @throws the error, with the call's id */
export async function settleUnanswered<R extends MediaRequest>(
  deps: RelayDeps,
  run: MediaRun<R>,
  error: unknown,
): Promise<never> {
  return await settleUnansweredCall(deps, run, error, {
    ownCost: (candidate) => mediaCost(candidate, run.amount),
    settle: () =>
      settleMedia(deps, run, {
        candidate: null,
        billed: run.amount,
        meteredBy: "upstream",
        latencyMs: null,
        upstreamId: null,
        cancelled: false,
        error,
      }),
  });
}
