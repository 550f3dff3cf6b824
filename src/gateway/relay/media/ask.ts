import type { Candidate } from "../../domain/routing/routing.ts";
import { readText } from "../../providers/answer.ts";
import { call, type CallAnswer, CallFailed, readBeginning } from "../../providers/call.ts";
import type { HttpAdapter, SentRequest, Upstream } from "../../providers/provider.ts";
import { vendorText, withoutKey } from "../../providers/redact.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { mostErrorBytes } from "../whole-answer.ts";

/** An answer that has begun, with status 200. */
export interface BegunAnswer extends CallAnswer {
  readonly latencyMs: number;
  readonly upstreamId: string | null;
}

/**
 * Sends a request; returns once the answer's headers are there.
 * @param vendor aborts the call, even while the answer arrives
 * @throws CallFailed; the abort's reason
 */
export async function askVendor(
  deps: RelayDeps,
  { provider }: Candidate,
  { adapter, upstream, request }: { adapter: HttpAdapter; upstream: Upstream; request: SentRequest },
  vendor: AbortSignal,
): Promise<BegunAnswer> {
  const timeoutMs = timeoutOf(deps, provider);
  const startedMs = performance.now();
  const answer = await call(deps.dispatcher, request, {
    signal: vendor,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 5,
  });
  const { status, headers } = answer;
  const latencyMs = performance.now() - startedMs;
  if (status !== 200) {
    const body = await readBeginning(answer, mostErrorBytes, vendor);
    throw new CallFailed(adapter.readFailure(upstream, { status, headers, body: vendorText(upstream, body) }));
  }
  const id = readText(headers["request-id"]) ?? readText(headers["x-request-id"]);
  return { ...answer, latencyMs, upstreamId: id === null ? null : withoutKey(upstream, id) };
}
