import { sql } from "kysely";
import type { ShortOf } from "#contract/limit-messages.ts";
import { toNanoUsd } from "#contract/money.ts";
import { minuteMs } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { isPassing } from "../ledger/commit.ts";
import type { Refusal } from "../refusal.ts";
import { storedText } from "../stored-text.ts";

/** Counts calls that are refused before they are made, and therefore are not on the ledger. */
export interface RefusedCallCounter {
  count(call: RefusedCall, refusal: Refusal): void;
  /** writes the counts; what cannot be written is kept for the next time */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Whose call was refused. */
export interface RefusedCall {
  keyHash: string;
  workspaceId: string;
  requestId: string;
}

/** Refused calls of one key and minute with the same reason. */
interface Counted {
  readonly keyHash: string;
  readonly workspaceId: string;
  readonly minute: Date;
  readonly reason: string;
  readonly status: number;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly lastRequestId: string;
  readonly lastMessage: string;
  readonly lastNeeded: bigint | null;
  readonly lastRemaining: bigint | null;
}

/** A count, by what it counts. */
type Row = readonly [id: string, counted: Counted];

const flushEveryMs = 1_000;
/** The most counts held while the store is unavailable; beyond it the oldest are dropped. */
const mostCounted = 10_000;
/** Rows per statement: PostgreSQL takes 65,535 parameters. */
const mostWritten = 1_000;
const longestMessage = 500;

/** The largest amount that the store's 64-bit integer holds. */
const mostNano = 2n ** 63n - 1n;

/** @param warn called once per period in which counts cannot be written, and for dropped counts */
export function createRefusedCallCounter(
  store: Store,
  now: () => Date,
  warn: (message: string, details: object) => void,
): RefusedCallCounter {
  let counted = new Map<string, Counted>();
  let flushing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failing = false;
  let dropped = 0;

  async function write(): Promise<void> {
    const rows = [...counted];
    counted = new Map();
    for (let from = 0; from < rows.length; from += mostWritten) {
      const some = rows.slice(from, from + mostWritten);
      try {
        await insert(store, some);
        failing = false;
      } catch (error) {
        if (isPassing(error)) return keep(rows.slice(from), error);
        await writeEach(some);
      }
    }
  }

  /** A row that the store cannot hold must not cost the other rows their counts. */
  async function writeEach(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      try {
        await insert(store, [row]);
      } catch (error) {
        if (isPassing(error)) keep([row], error);
        else
          warn("a count of refused calls cannot be stored and is dropped", { ...tellable(row[1]), ...codeOf(error) });
      }
    }
  }

  function keep(rows: readonly Row[], error: unknown): void {
    const since = counted;
    counted = new Map(rows);
    for (const [id, row] of since) add(id, row);
    dropOldest();
    if (failing) return;
    failing = true;
    warn("counts of refused calls cannot be written now: they are kept and written later", codeOf(error));
  }

  function add(id: string, since: Counted): void {
    const before = counted.get(id);
    counted.set(id, before === undefined ? since : joined(before, since));
  }

  function dropOldest(): void {
    for (const id of counted.keys()) {
      if (counted.size <= mostCounted) return;
      counted.delete(id);
      dropped += 1;
    }
  }

  async function flush(): Promise<void> {
    if (dropped > 0) warn("there are too many counts of refused calls: the oldest were dropped", { dropped });
    dropped = 0;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (flushing !== null) await flushing;
    if (counted.size === 0) return;
    flushing = write().finally(() => {
      flushing = null;
    });
    await flushing;
    if (counted.size > 0) schedule();
  }

  function schedule(): void {
    if (timer !== null) return;
    timer = setTimeout(() => void flush(), flushEveryMs);
    timer.unref();
  }

  return {
    count(call, refusal) {
      const once = countOnce(call, refusal, now());
      const id = idOf(once);
      const isKnown = counted.has(id);
      add(id, once);
      if (isKnown) return;
      dropOldest();
      schedule();
    },
    flush,
    async close() {
      await flush();
      if (timer !== null) clearTimeout(timer);
      if (counted.size > 0)
        warn("counts of refused calls are lost: the store does not take them", { lost: counted.size });
    },
  };
}

function countOnce({ keyHash, workspaceId, requestId }: RefusedCall, refusal: Refusal, at: Date): Counted {
  const { limit_kind: kind, reason: unusable, estimate, remaining } = refusal.details;
  const said = kind ?? unusable;
  const reason = typeof said === "string" ? said : refusal.type;
  const ofMoney = moneyReasons.has(reason);
  return {
    keyHash,
    workspaceId,
    minute: new Date(Math.floor(at.getTime() / minuteMs) * minuteMs),
    reason,
    status: refusal.status,
    count: 1,
    firstAt: at,
    lastAt: at,
    lastRequestId: requestId,
    lastMessage: storedText(refusal.message, longestMessage),
    lastNeeded: ofMoney ? nanoOf(estimate) : null,
    lastRemaining: ofMoney ? nanoOf(remaining) : null,
  };
}

/** What a count counts. All processes write in the order of this, so that they cannot deadlock. */
const idOf = ({ keyHash, minute, reason, status }: Counted) => `${keyHash} ${minute.getTime()} ${reason} ${status}`;

/** Merges two counts of the same; `since` is the later one. */
function joined(before: Counted, since: Counted): Counted {
  return { ...since, count: before.count + since.count, firstAt: before.firstAt };
}

/** Limits whose figures are in dollars; rate limits count requests or tokens. */
const moneyReasons: ReadonlySet<string> = new Set<ShortOf>([
  "key",
  "maker",
  "guardrail_budget",
  "workspace_budget",
  "credits",
]);

function nanoOf(usd: unknown): bigint | null {
  if (typeof usd !== "number" || !Number.isFinite(usd)) return null;
  const nano = toNanoUsd(usd);
  return nano > mostNano ? mostNano : nano;
}

function tellable({ reason, status, count }: Counted) {
  return { reason, status, count };
}

/** The store's error messages may repeat what it was sent. */
function codeOf(error: unknown): { code?: unknown } {
  return error instanceof Error && "code" in error ? { code: error.code } : {};
}

async function insert(store: Store, rows: readonly Row[]): Promise<void> {
  const sorted = rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
  await store.db
    .insertInto("refused_calls")
    .values(
      sorted.map(([, row]) => ({
        key_hash: row.keyHash,
        minute: row.minute,
        reason: row.reason,
        status: row.status,
        workspace_id: row.workspaceId,
        count: BigInt(row.count),
        first_at: row.firstAt,
        last_at: row.lastAt,
        last_request_id: row.lastRequestId,
        last_message: row.lastMessage,
        last_needed: row.lastNeeded,
        last_remaining: row.lastRemaining,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["key_hash", "minute", "reason", "status"]).doUpdateSet({
        count: sql`refused_calls.count + excluded.count`,
        first_at: sql`least(refused_calls.first_at, excluded.first_at)`,
        last_at: sql`greatest(refused_calls.last_at, excluded.last_at)`,
        last_request_id: latest("last_request_id"),
        last_message: latest("last_message"),
        last_needed: latest("last_needed"),
        last_remaining: latest("last_remaining"),
      }),
    )
    .execute();
}

function latest<T>(column: string) {
  const name = sql.ref(column);
  return sql<T>`case when excluded.last_at >= refused_calls.last_at then excluded.${name} else refused_calls.${name} end`;
}
