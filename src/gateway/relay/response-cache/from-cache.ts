import type { ApiType } from "#contract/api-type.ts";
import type { CallPolicy } from "../../domain/keys/call-policy.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import type { Trace } from "../../domain/ledger/trace.ts";
import type { Headers } from "../sent.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelAnswer } from "../model-call.ts";
import { admit } from "../rate-limits.ts";
import { type CallContext, keepBody, toLedgerEntry } from "../record.ts";
import type { CachedAnswer } from "./response-cache.ts";

interface AskedCall {
  readonly apiType: ApiType;
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly user: string | null;
  readonly sessionId: string | null;
  readonly trace: Trace | null;
  readonly streamed: boolean;
  /** what a workspace that keeps bodies keeps of the request */
  readonly input: readonly unknown[];
  readonly headers: Headers;
  /** what else the ledger records of the request */
  readonly entry?: Partial<LedgerEntry>;
}

/**
 * Gives a call the answer of an equal one. It counts toward rate limits, costs nothing, and is on the ledger as a call of
 * its own.
 */
export async function fromCache(deps: RelayDeps, asked: AskedCall, found: CachedAnswer): Promise<ModelAnswer> {
  const { context, policy, apiType, user, sessionId, trace, streamed, input } = asked;
  const { accounts, accountsNow, workspace } = policy;
  // It is held until the caller has read it.
  context.call.room.take(found.bytes.length);
  admit(deps, asked, 0);
  const reservation = await deps.ledger.reserve({ accounts, accountsNow, least: 0n, most: 0n, byok: false });
  const settlement = deps.ledger.settle(
    reservation,
    toLedgerEntry(context, {
      apiType,
      model: found.model,
      provider: found.provider,
      cost: 0n,
      saved: found.cost,
      responseCacheSourceId: found.id,
      inputs: found.inputs,
      cachedInputs: found.inputs,
      streamed,
      finishReason: found.finishReason,
      nativeFinishReason: found.finishReason,
      attempts: [],
      externalUser: user,
      sessionId,
      trace,
      ...asked.entry,
      body: keepBody(deps, context, {
        logged: deps.random() < workspace.keptBodies,
        body: () => ({ input, output: found.output, error: null }),
        answerBytes: found.bytes.length,
      }),
    }),
  );
  await settlement.committed;
  return {
    status: 200,
    headers: {
      ...found.headers,
      ...asked.headers,
      "x-generation-id": context.id,
      "x-openrouter-cache-status": "HIT",
      "x-openrouter-cache-age": String(ageOf(found, deps.domain.now())),
      "x-openrouter-cache-ttl": String(found.ttlSeconds),
      "x-openrouter-cache-source-id": found.id,
    },
    body: [withId(found, context.id)],
  };
}

const ageOf = ({ storedAt }: CachedAnswer, now: Date) =>
  Math.max(0, Math.floor((now.getTime() - storedAt.getTime()) / 1_000));

const prefix = "gen-".length;

/** The answer with the call's own id in the places of the other one's, which is as long. */
function withId({ bytes, id }: CachedAnswer, own: string): Buffer {
  const [known, mine] = [id, own].map((each) => Buffer.from(each.slice(prefix))) as [Buffer, Buffer];
  const renamed = Buffer.from(bytes);
  for (let at = renamed.indexOf(known); at !== -1; at = renamed.indexOf(known, at + known.length)) {
    mine.copy(renamed, at);
  }
  return renamed;
}
