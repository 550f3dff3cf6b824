import { byStatus } from "./answer.ts";
import { type Format, member, type Sink, withHeaders } from "./format.ts";
import { rowOf } from "./record.ts";

/**
 * ClickHouse's HTTP interface (clickhouse.com/docs/interfaces/http), rows as JSONEachRow. Columns that the table does
 * not have are skipped. The token makes a repeated block be recognized where the table's engine does that.
 */
export const clickhouse: Format = {
  most: { events: 5_000, bytes: 8_000_000 },
  async toRequests(sink, events) {
    const first = events[0]?.id ?? "";
    const last = events.at(-1)?.id ?? "";
    const url = address(sink, `INSERT INTO ${table(sink)} FORMAT JSONEachRow`);
    url.searchParams.set("insert_deduplication_token", `${first}/${last}/${events.length}`);
    const body = events.map((event) => JSON.stringify(rowOf(event))).join("\n");
    return [{ method: "POST", url: url.href, headers: headers(sink), body }];
  },
  readAnswer(answer, now) {
    const verdict = byStatus(answer, now);
    // A row that does not fit the table: ClickHouse answers 400 or 500, and a parsing error code.
    const code = Number(answer.headers["x-clickhouse-exception-code"] ?? 0);
    if (verdict.verdict === "retry" && unfit.has(code)) return { verdict: "rejected", message: verdict.message };
    if (answer.status === 404)
      return { verdict: "refused", message: `${verdictText(verdict)}: is there such a table?` };
    return verdict;
  },
  async toTest(sink) {
    const url = address(sink, `SELECT 1 FROM ${table(sink)} LIMIT 0`);
    return { method: "POST", url: url.href, headers: { ...headers(sink), "x-test-connection": "true" }, body: "" };
  },
};

/** CANNOT_PARSE_*, TYPE_MISMATCH and their kin (ClickHouse's ErrorCodes.cpp). */
const unfit: ReadonlySet<number> = new Set([6, 26, 27, 38, 41, 53, 69, 70, 72, 117, 321, 349, 441]);

const verdictText = (verdict: ReturnType<typeof byStatus>) => ("message" in verdict ? verdict.message : "");

function address(sink: Sink, query: string): URL {
  const host = member(sink, "host");
  const url = new URL(/^https?:\/\//.test(host) ? host : `https://${host}`);
  url.searchParams.set("query", query);
  url.searchParams.set("input_format_skip_unknown_fields", "1");
  url.searchParams.set("date_time_input_format", "best_effort");
  return url;
}

function headers(sink: Sink): Record<string, string> {
  return withHeaders(sink, {
    "x-clickhouse-user": member(sink, "username"),
    "x-clickhouse-key": member(sink, "password"),
    "content-type": "application/x-ndjson",
  });
}

/** Names are quoted, so that no name can be more than a name. */
function table(sink: Sink): string {
  const quoted = (name: string) => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
  return `${quoted(member(sink, "database"))}.${quoted(member(sink, "table"))}`;
}
