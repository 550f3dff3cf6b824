import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { columnList } from "./columns.ts";
import { charged, makeEntry } from "../../testing/ledger-calls.ts";
import { type LedgerEntry, rowOf } from "./entry.ts";

const call = makeEntry({ cost: 5n, durationMs: 2.4 });
const row = (entry: LedgerEntry) =>
  JSON.parse(JSON.stringify(rowOf({ ...charged(entry), own: 3n, byok: 1n, overrun: 2n })));

describeGateway("the ledger's columns", (gateway) => {
  it("are those of the store, with its types, and may be missing where it allows that", async () => {
    const { rows } = await gateway().deps.store.pool.query(
      `select column_name as name, format_type(a.atttypid, null) as sql, not a.attnotnull as optional
       from information_schema.columns
       join pg_attribute a on a.attrelid = 'ledger'::regclass and a.attname = column_name
       where table_schema = current_schema() and table_name = 'ledger' and column_name not in ('settled_at', 'xact', 'seq')`,
    );
    const sql = (type: string) => (type === "timestamptz" ? "timestamp with time zone" : type);
    const declared = columnList.map(({ name, sql: type, initial }) => ({
      name,
      sql: sql(type),
      optional: initial === null,
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(declared.toSorted(byName)).toEqual(rows.toSorted(byName));
  });

  it("are written as the store can hold them: charged amounts, whole counts, cut words, and nothing that is null", () => {
    const texts = { userAgent: `\0${"a".repeat(300)}`, trace: { half: "\ud800" } };
    const wide = { ...call, ...texts, promptTokens: 3_000_000_000, saved: 2n ** 60n };
    const written = row(wide);
    expect(written).toMatchObject({ cost: 3, byokCost: 1, overrun: 2, durationMs: 2, promptTokens: 2_147_483_647 });
    expect(written).toMatchObject({ createdAt: "2026-11-21T12:00:00.000Z", saved: String(2n ** 60n) });
    expect(written.userAgent).toBe("a".repeat(254));
    expect(Object.keys(written)).not.toContain("trace");
    expect(Object.keys(row(call))).not.toContain("finishReason");
  });
});
