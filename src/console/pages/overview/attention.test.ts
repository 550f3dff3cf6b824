import { expect, it } from "vitest";
import { AttentionKind, type AttentionRow } from "#contract/attention.ts";
import { attention } from "./attention.ts";

const now = new Date("2026-11-20T17:42:00Z");
const none = {
  workspace_id: null,
  since: null,
  until: null,
  figure: null,
  spent: null,
  limit: null,
  lasts_until: null,
};
const row = (kind: AttentionKind, changes: Partial<AttentionRow> = {}): AttentionRow => ({
  kind,
  object: { type: "key", id: "k1", name: "prod-search" },
  ...none,
  last_used_at: null,
  message: null,
  status: null,
  state: kind === "provider" ? "failing" : null,
  minutes: null,
  reason: null,
  reason_count: null,
  ...changes,
});

function told(rows: AttentionRow[], counts: Partial<Record<AttentionKind, number>> = {}) {
  const count = (kind: AttentionKind) => counts[kind] ?? rows.filter((one) => one.kind === kind).length;
  const totals = Object.fromEntries(AttentionKind.options.map((kind) => [kind, { count: count(kind), more: false }]));
  return attention({ data: rows, totals: totals as Parameters<typeof attention>[0]["totals"] }, now);
}

it("what needs attention is nothing where all is well", () => expect(told([])).toEqual([]));

const until = "2026-11-23T00:00:00.000Z";
const resets = "resets in 2 d 6 h (23 Nov 00:00 UTC)";
const since = "2026-11-20T17:40:00Z";
const noGpu = row("provider", { figure: 0.35, minutes: 180, message: "no GPU left", status: 500, since });
const refusal = {
  figure: 66,
  message: `No room. It resets at ${until}.`,
  status: 402,
  reason: "key",
  reason_count: 60,
};
const burst = { state: "overloaded", message: "slow down", status: 429, since } as const;
const waiting = { figure: 1_204, since: "2026-11-20T16:42:00Z", message: "try later", status: 503 };
const silent = "Nothing is listening at 127.0.0.1:9.";
const [over, failing] = ["prod-search is over its limit", "prod-search is failing"];
const details = {
  zero: "its limit is $0.00: every paid call that counts toward it is refused",
  watched: `$512.50 of $400.00 spent, ${resets}; the limit is only watched`,
  noGpu:
    "In the last 3 hours. Its last error, 2 min ago, was HTTP 500: “no GPU left”. Test it, or turn it off so that calls go to other providers.",
  badKey: "Its last error, 2 min ago, was HTTP 401: “bad key”.",
  burst:
    "Calls to it are held back for now. Its last error, 2 min ago, was HTTP 429: “slow down”. Give its models another provider, or wait.",
  silent: `Its last call failed, 2 min ago: ${silent} Test it to see how far a call gets.`,
  answer: "Its last call failed: It answered with 500. Test it to see how far a call gets.",
  waiting:
    "Since 16:42 UTC, 1 h ago. The destination is not accepting events at the moment. 1,204 calls are yet to be checked and sent.",
  refused: "Mostly 402 key limit (60 of 66): “No room. It resets on 23 Nov at 00:00 UTC.”",
};
const watched = row("over_watched_limit", { limit: 400, spent: 512.5, until });
const near = row("near_limit", { limit: 400, spent: 353.88, figure: 0.8847 });
const errors = "12% of the calls in prod-search fail at their providers";
it.each<[AttentionRow, string, string, string]>([
  [row("over_limit", { limit: 400, spent: 400, until }), over, `$400.00 spent, ${resets}`, "keys/k1/edit"],
  [row("over_limit", { limit: 0, spent: 0 }), over, details.zero, "keys/k1/edit"],
  [watched, `${over}, not refused`, details.watched, "keys/k1/edit"],
  [near, "prod-search at 88% of its limit", "$46.12 of $400.00 left, does not reset", "keys/k1/edit"],
  [noGpu, "prod-search fails 35% of its calls", details.noGpu, "providers/k1"],
  [
    row("provider", { state: "credentials", message: "bad key.", status: 401, since }),
    "prod-search refuses the gateway's key",
    details.badKey,
    "providers/k1/edit",
  ],
  [row("provider", burst), "prod-search is overloaded", details.burst, "providers/k1"],
  [row("provider", { message: silent, since }), failing, details.silent, "providers/k1"],
  [row("provider", { message: "It answered with 500" }), failing, details.answer, "providers/k1"],
  [row("destination", waiting), failing, details.waiting, "destinations/k1"],
  [row("refused", refusal), "prod-search: 66 calls refused in the last hour", details.refused, "keys/k1"],
  [row("errors", { figure: 0.12 }), errors, "in the last 3 hours", "calls"],
  [row("unused", { since: "2026-08-03T00:00:00Z" }), "prod-search was never used", "created 3 Aug", "keys"],
])("%#: what needs attention is told with the one thing to do", (one, title, detail, to) => {
  const [said] = told([one]);
  expect([said?.title, said?.detail, said?.action.to("all")]).toEqual([title, detail, `/w/all/${to}`]);
});

it.each([
  ["2026-11-20T23:59:59Z", "in 6 h"],
  ["2026-11-27T17:42:00Z", "on 27 Nov"],
])("what needs attention says when a key expires: %s", (until, words) =>
  expect(told([row("expiring", { until })])[0]?.title).toBe(`prod-search expires ${words}`),
);

it("what needs attention has the most pressing first, and says how many there are beyond those named", () => {
  const nearly = (id: string) => row("near_limit", { object: { type: "key", id, name: id }, limit: 1, spent: 0.9 });
  const said = told([nearly("a"), nearly("b")], { near_limit: 1_200 });
  expect(said).toHaveLength(3);
  const search = { status: "active", limit: "near" };
  expect(said[2]).toMatchObject({ title: "1,200 keys are near their limits", action: { search } });
  const unused = { title: "7 keys were never used", detail: "the oldest, prod-search, was created 3 Aug" };
  expect(told([row("unused", { since: "2026-08-03T00:00:00Z" })], { unused: 7 })).toMatchObject([unused]);
  const key = (id: string) => ({ object: { type: "key", id, name: id } }) as const;
  const order = told([
    row("unused", key("a")),
    row("near_limit", key("b")),
    row("over_limit"),
    row("provider", key("c")),
  ]);
  const kinds = order.map(({ id }) => id.split("-")[0]);
  expect(kinds).toEqual(["provider", "over_limit", "near_limit", "unused"]);
});

it("what needs attention names a key once, with all that is said of it", () => {
  const refused = { status: 402, figure: 10, reason: "key", reason_count: 10 };
  const both = told([row("over_limit", { limit: 4, spent: 4 }), row("refused", refused), row("expiring", { until })]);
  expect(both).toHaveLength(1);
  expect(both[0]).toMatchObject({ title: over });
  expect(both[0]?.detail).toContain(
    "Also: 10 calls refused in the last hour, all 402 key limit. Also: expires on 23 Nov",
  );
});

it("says when a key runs out at its pace, and leads to the list in that order", () => {
  const paced = (lasts_until: string) => row("running_out", { limit: 50, spent: 20, lasts_until });
  expect(told([paced("2026-11-24T06:00:00Z")])[0]?.title).toBe("prod-search runs out on about 24 Nov at its pace");
  const [first, more] = told([paced("2026-11-20T20:10:00Z")], { running_out: 7 });
  expect(first?.title).toBe("prod-search runs out at about 20:10 UTC at its pace");
  expect(more?.action.search).toEqual({ status: "active", sort: "lasts_until" });
});
