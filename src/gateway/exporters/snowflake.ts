import { createHash } from "node:crypto";
import { blankEvent, type ForwardedEvent } from "#contract/forwarded-event.ts";
import { byStatus } from "./answer.ts";
import { type Format, member, type Sink, type SinkRequest, withHeaders } from "./format.ts";
import { type Row, rowOf } from "./record.ts";

const variants: ReadonlySet<keyof Row> = new Set(["INPUT", "OUTPUT", "METADATA", "ATTRIBUTES"]);

/**
 * Snowflake's SQL API (docs.snowflake.com/developer-guide/sql-api) with a programmatic access token. All rows travel in
 * one bound JSON text, and rows whose GENERATION_ID is there already are left alone, so that a repeat adds nothing.
 */
export const snowflake: Format = {
  // A bound text holds 16 MB at most.
  most: { events: 2_000, bytes: 8_000_000 },
  async toRequests(sink, events) {
    const rows = JSON.stringify(events.map(snowflakeRow));
    const statement = mergeStatement(sink);
    return [request(sink, { statement, bindings: { "1": { type: "TEXT", value: rows } } }, idOf(rows), {})];
  },
  readAnswer(answer, now) {
    const verdict = byStatus(answer, now);
    // 422: the statement failed. A value that does not fit is the events' fault, a missing table is the settings'.
    if (verdict.verdict === "rejected" && !/100(0\d\d|1\d\d)|"code" *: *"1000/.test(answer.body)) {
      return { verdict: "refused", message: verdict.message };
    }
    return verdict;
  },
  toTest: async (sink) =>
    request(sink, { statement: `select GENERATION_ID from ${table(sink)} limit 0` }, null, {
      "x-test-connection": "true",
    }),
};

function request(sink: Sink, body: object, id: string | null, more: Record<string, string>): SinkRequest {
  const { config } = sink;
  const account = member(sink, "account").toLowerCase();
  const repeatable = id === null ? "" : `?requestId=${id}&retry=true`;
  return {
    method: "POST",
    url: `https://${account}.snowflakecomputing.com/api/v2/statements${repeatable}`,
    headers: withHeaders(sink, {
      authorization: `Bearer ${member(sink, "token")}`,
      "x-snowflake-authorization-token-type": "PROGRAMMATIC_ACCESS_TOKEN",
      accept: "application/json",
      ...more,
    }),
    body: JSON.stringify({
      ...body,
      database: config["database"],
      schema: config["schema"],
      warehouse: config["warehouse"],
      timeout: 60,
    }),
  };
}

function mergeStatement(sink: Sink): string {
  const columns = Object.keys(sampleRow) as (keyof typeof sampleRow)[];
  const read = columns
    .map((name) =>
      variants.has(name)
        ? `parse_json(value:${name}::varchar) as ${name}`
        : `value:${name}::${typeOf(name)} as ${name}`,
    )
    .join(", ");
  return (
    `merge into ${table(sink)} as t using (select ${read} from table(flatten(input => parse_json(?)))) as s ` +
    `on t.GENERATION_ID = s.GENERATION_ID when not matched then insert (${columns.join(", ")}) ` +
    `values (${columns.map((name) => `s.${name}`).join(", ")})`
  );
}

function typeOf(name: keyof typeof sampleRow): string {
  if (name.endsWith("TIMESTAMP")) return "timestamp_tz";
  if (name === "IS_BYOK") return "boolean";
  const value = sampleRow[name];
  return typeof value === "number" || name === "BYOK_COST" || name === "LATENCY_MS" ? "double" : "varchar";
}

/** A statement that names a column which an existing table lacks would fail: what was added later is in ATTRIBUTES. */
function snowflakeRow(event: ForwardedEvent): Omit<Row, "CACHE_WRITE_TOKENS"> {
  const { CACHE_WRITE_TOKENS: _, ...row } = rowOf(event);
  return row;
}

const sampleRow = snowflakeRow(blankEvent);

function table(sink: Sink): string {
  const { config } = sink;
  return [config["database"], config["schema"], config["table"]]
    .map((name) => `"${(name ?? "").replaceAll('"', '""')}"`)
    .join(".");
}

/** Snowflake runs a request id once, however often it is sent. */
function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
