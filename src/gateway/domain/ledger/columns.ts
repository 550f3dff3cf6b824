import type { ColumnType, Kysely } from "kysely";
import type { ApiType, MediaUnit } from "#contract/api-type.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { ContentFilterMatch } from "#contract/content-filter-match.ts";
import type { NanoUsd } from "#contract/money.ts";
import type { Tables } from "../../storage/tables.ts";
import { storedText } from "../stored-text.ts";
import { type Attempt, storedAttempts } from "./attempt.ts";
import { type CallParameters, storedParameters } from "./parameters.ts";
import { storedTrace, type Trace } from "./trace.ts";

/** A column of the ledger; `T` is its type in a call and in a row. */
interface Column<T> {
  readonly sql:
    | "text"
    | "uuid"
    | "timestamptz"
    | "smallint"
    | "integer"
    | "bigint"
    | "boolean"
    | "jsonb"
    | "double precision";
  /** the value in the insert's JSON, unless it is null; absent: unchanged */
  write?(value: NonNullable<T>): unknown;
  /** the default value; absent: it must be given */
  readonly initial?: T;
  /**
   * the value without text from callers and providers, for a store that rejects some of it; absent: it has no such text
   */
  readonly bare?: T;
  /** the member of a forwarded event that copies it */
  readonly event?: keyof ForwardedEvent;
}
type Initial<T> = Column<T> & { readonly initial: T };

const initially = <T>(column: Column<T>, initial: T): Initial<T> => ({ ...column, initial });

const largestCount = 2_147_483_647;
const toCount = (value: number) => Math.min(Math.max(0, Math.round(value)), largestCount);
/** JSON numbers are exact up to here; a larger one is read from its text. */
const largestExact = BigInt(Number.MAX_SAFE_INTEGER);
const toInteger = (nano: NanoUsd) => (nano <= largestExact ? Number(nano) : String(nano));
const upTo = (longest: number) => (value: string) => storedText(value, longest);

const text: Column<string> = { sql: "text" };
const uuid: Column<string> = { sql: "uuid" };
const instant: Column<Date> = { sql: "timestamptz", write: (at) => at.toISOString() };
const code: Column<number> = { sql: "smallint" };
const oneOf = <T extends string>(): Column<T> => ({ sql: "text" });
const flag = initially<boolean>({ sql: "boolean" }, false);
const measured: Column<number> = { sql: "integer", write: toCount };
const count = initially(measured, 0);
const charged: Column<NanoUsd> = { sql: "bigint", write: toInteger };
const money = initially(charged, 0n);
const optional = initially<string | null>({ sql: "text", write: (value) => value }, null);
const words = (longest: number): Initial<string | null> => ({ ...optional, bare: null, write: upTo(longest) });
const attempts: Column<readonly Attempt[]> = { sql: "jsonb", bare: [], write: storedAttempts };
const trace: Initial<Trace | null> = { sql: "jsonb", initial: null, bare: null, write: storedTrace };

/**
 * What the ledger records of a call: each column is declared here and nowhere else. The insert, the entry, the row's
 * type, the forwarded event's copies and the API's call record follow. A new one needs a migration, a line here, the
 * code that measures it, and the contract where it is shown.
 */
export const columns = {
  id: { ...text, event: "id" },
  workspace_id: { ...uuid, event: "workspaceId" },
  /** when the call began; the generation id contains the same instant */
  created_at: instant,
  key_hash: { ...text, event: "keyHash" },
  spend_id: uuid,
  /** the count of what all keys of the key's creator spend; null: the key has none */
  member_spend_id: initially<string | null>({ sql: "uuid" }, null),
  /** the count of the key that had the key made; null: none had */
  maker_spend_id: initially<string | null>({ sql: "uuid" }, null),
  api_type: { ...oneOf<ApiType>(), event: "api" },
  /** what a form's api_type does not tell, by the name of the GenAI conventions; null: nothing */
  operation: { ...initially<"text_completion" | null>({ sql: "text" }, null), event: "operation" },
  model: { ...text, event: "model" },
  /** the provider's own name of the model that answered; null: none did */
  response_model: { ...words(255), event: "responseModel" },
  parameters: {
    ...initially<CallParameters | null>({ sql: "jsonb", bare: null, write: storedParameters }, null),
    event: "parameters",
  },
  /** empty: no provider was reached */
  provider: { ...text, event: "provider" },
  /** the status that the caller received */
  status: { ...initially(code, 200), event: "status" },
  error_type: { ...optional, event: "errorType" },
  prompt_tokens: { ...count, event: "promptTokens" },
  completion_tokens: { ...count, event: "completionTokens" },
  reasoning_tokens: { ...count, event: "reasoningTokens" },
  cached_tokens: { ...count, event: "cachedTokens" },
  cache_write_tokens: { ...count, event: "cacheWriteTokens" },
  /** who counted the tokens */
  metered_by: initially(oneOf<"upstream" | "gateway">(), "upstream"),
  /** false: the model had no price, and the cost is 0 for that reason alone */
  priced: initially(flag, true),
  byok: { ...flag, event: "byok" },
  /** nano-dollars; in an entry what the call cost, in a row what was charged to the limits */
  cost: charged,
  /** the same, at the caller's own provider key, which may have served only a part of the call, or none */
  byok_cost: money,
  /**
   * the provider's count beyond both the reservation and the limit's room, nano-dollars: not charged, but counted
   * toward the limit from then on
   */
  overrun: charged,
  /** what cached and repeated inputs would have cost, and what a vendor's cache took off its price: nano-dollars */
  saved: money,
  /** vectors or scores requested, and how many of them needed no upstream request */
  inputs: { ...count, event: "inputs" },
  cached_inputs: count,
  /** of these, what the durable cache had, and what it would have cost, nano-dollars */
  stored_inputs: count,
  stored_saved: money,
  /** the call whose answer the response cache had for this one; null: a provider answered */
  response_cache_source_id: optional,
  /** what it is billed by besides tokens and requests, and how many of them; null: nothing else */
  unit: { ...initially<MediaUnit | null>({ sql: "text" }, null), event: "unit" },
  units: { ...initially<number | null>({ sql: "double precision" }, null), event: "units" },
  /** to the upstream's first byte, and to the end, milliseconds */
  latency_ms: { ...initially<number | null>({ sql: "integer", write: toCount }, null), event: "latencyMs" },
  duration_ms: { ...measured, event: "durationMs" },
  streamed: { ...flag, event: "streamed" },
  cancelled: { ...flag, event: "cancelled" },
  finish_reason: { ...words(100), event: "finishReason" },
  native_finish_reason: words(100),
  upstream_id: { ...words(255), event: "upstreamId" },
  attempts,
  http_referer: { ...words(500), event: "referer" },
  app_title: { ...words(255), event: "appTitle" },
  user_agent: { ...words(255), event: "userAgent" },
  external_user: { ...words(255), event: "userId" },
  session_id: { ...words(256), event: "sessionId" },
  trace: { ...trace, event: "trace" },
  /** the preset that the call was made with, by its id, its slug and its version then; null: with none */
  preset_id: initially<string | null>({ sql: "uuid" }, null),
  preset: { ...optional, event: "preset" },
  preset_version: { ...initially<number | null>({ sql: "integer" }, null), event: "presetVersion" },
  /** what the content filters of guardrails found in the request; null: nothing */
  content_filters: {
    ...initially<readonly ContentFilterMatch[] | null>({ sql: "jsonb" }, null),
    event: "contentFilters",
  },
  /** the batch that it was made for; null: for none */
  batch_id: optional,
  request_id: { ...optional, write: upTo(100), event: "requestId" },
} as const satisfies Record<string, Column<unknown>>;

type Columns = typeof columns;
type ColumnName = keyof Columns;
type Value<C> = C extends { readonly initial?: infer T } ? T : never;
/** `upstream_id` in camel case: `upstreamId`. */
type Camel<S extends string> = S extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : S;

/** A call, by the names used in code. */
export type CallValues = { [C in ColumnName as Camel<C>]: Value<Columns[C]> };

/** A call's default values. */
export type InitialValues = {
  [C in ColumnName as Columns[C] extends { readonly initial: unknown } ? Camel<C> : never]: Value<Columns[C]>;
};

/** The columns that forwarded events copy, by the events' names. */
export type CopiedColumn = { [C in ColumnName]: Columns[C] extends { readonly event: string } ? C : never }[ColumnName];
export type EventCopies = { [C in CopiedColumn as Columns[C]["event"]]: Value<Columns[C]> };

type Fixed<T> = ColumnType<T, never, never>;

/** One finished model call. Append-only: no statement updates a row, and only `prune` deletes old ones. */
export type LedgerTable = { [C in ColumnName]: Fixed<Value<Columns[C]>> } & {
  /** when it was charged: this decides which day, week and month it counts in */
  settled_at: Fixed<Date>;
  /** its position: the writing transaction (xid8, as text), then the order within */
  xact: Fixed<string>;
  seq: Fixed<bigint>;
};

/** The ledger's rows, for reading. */
export const ledgerRows = (db: Kysely<Tables>) => db.withTables<{ ledger: LedgerTable }>().selectFrom("ledger");

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Each column with its name in a call. */
export const columnList = (Object.keys(columns) as ColumnName[]).map((name) => {
  const column: Column<unknown> = columns[name];
  return { name, member: camel(name) as keyof CallValues, ...column };
});
