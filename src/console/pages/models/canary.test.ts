import { describe, expect, it } from "vitest";
import type { CanaryRecord, CanaryRun } from "#contract/canaries.ts";
import { canaryBars, canarySentence, canaryStatus, historySentence, intervalName } from "./canary.ts";

const now = new Date("2026-11-20T12:00:00Z");
const space = "vs_00112233445566778899-4";
const run = (changes: Partial<CanaryRun> = {}): CanaryRun => ({
  id: "00000000-0000-4000-8000-000000000001",
  at: "2026-11-20T11:00:00.000Z",
  outcome: "steady",
  reason: null,
  distance: 0.00002,
  threshold: 0.0001,
  space,
  message: null,
  generation_id: "gen-1",
  ...changes,
});
const canary = (changes: Partial<CanaryRecord> = {}): CanaryRecord => ({
  id: "00000000-0000-4000-8000-000000000002",
  provider: "acme",
  provider_name: "Acme",
  model: "acme/embed",
  workspace_id: "00000000-0000-4000-8000-000000000003",
  every_hours: 24,
  status: "steady",
  drift: null,
  baseline: { at: "2026-11-18T12:00:00.000Z", space, noise: 0, threshold: 0.0001 },
  measures_next: false,
  last_run: run(),
  failures: 0,
  running: false,
  next_run_at: "2026-11-21T12:00:00.000Z",
  created_at: "2026-11-18T12:00:00.000Z",
  created_by: "ana",
  ...changes,
});
const drift = { since: "2026-11-20T11:00:00.000Z", reason: "distance", distance: 0.1234, space } as const;

describe("a canary", () => {
  it.each<[Partial<CanaryRecord>, string, string]>([
    [
      { last_run: run({ outcome: "baseline" }) },
      "Not checked yet",
      "The baseline was measured 2 days ago: vectors that move by up to 0.0001 are noise. The next check compares with it.",
    ],
    [{}, "No drift", "The same texts have the same vectors as 2 days ago, within the noise of 0.0001."],
    [
      { status: "drift", drift },
      "Drifted",
      "The same texts have other vectors: they moved by a cosine distance of 0.12, where up to 0.0001 is noise. Found 1 h ago and confirmed by a second check.",
    ],
    [
      { status: "drift", drift: { ...drift, reason: "length", space: "vs_00112233445566778899-3" } },
      "Drifted",
      "Its vectors have another length: 3 numbers instead of 4. Found 1 h ago and confirmed by a second check.",
    ],
    [
      { status: "suspected" },
      "Suspected",
      "The last check found other vectors. A second one follows within minutes and decides.",
    ],
    [
      { failures: 1, last_run: run({ outcome: "failed", message: "Acme is down" }) },
      "Last check failed",
      "The same texts have the same vectors as 2 days ago, within the noise of 0.0001. The last check failed, which is no drift: Acme is down.",
    ],
    [
      { status: "new", baseline: null, failures: 2, last_run: run({ outcome: "failed", message: "No money." }) },
      "Last check failed",
      "The last check failed, which is no drift: No money.",
    ],
    [
      { status: "new", baseline: null, measures_next: true, running: true, last_run: null },
      "Measuring",
      "The baseline is being measured.",
    ],
  ])("says what is known of it", (changes, word, sentence) => {
    const record = canary(changes);
    expect(canaryStatus(record).word).toBe(word);
    expect(canarySentence(record, now)).toBe(sentence);
  });

  it("is never said to be found in the future", () => {
    const since = "2026-11-20T12:00:30.000Z";
    expect(canarySentence(canary({ status: "drift", drift: { ...drift, since } }), now)).toContain(
      "Found just now and",
    );
  });

  it("names any interval", () => {
    expect([1, 24, 36].map(intervalName)).toEqual(["Every hour", "Every day", "Every 36 hours"]);
  });
});

describe("its history", () => {
  const runs = [
    run({ outcome: "drift", reason: "length", distance: null }),
    run({ outcome: "failed", distance: null, threshold: null }),
    run({ outcome: "suspected", reason: "distance", distance: 0.3 }),
    run(),
    run({ outcome: "baseline", distance: 0 }),
  ];

  it("is drawn oldest first, with what is beyond the noise apart", () => {
    expect(canaryBars(runs).map(({ value, more, tick }) => [value, more, tick])).toEqual([
      [0, [0], "Baseline"],
      [0.00002, [0], undefined],
      [0.0001, [0.3 - 0.0001], undefined],
      [0, [0], undefined],
      [0.0001, [1 - 0.0001], undefined],
    ]);
    expect(canaryBars(runs).map(({ label }) => label.split(" UTC")[1])).toEqual([
      ", a new baseline",
      "",
      ", not confirmed yet",
      ", failed",
      ", another length, drawn as 1",
    ]);
  });

  it("is said in a sentence", () => {
    expect(historySentence(runs)).toBe("3 checks, 2 beyond the noise; 1 failed.");
    expect(historySentence([run()])).toBe("1 check, none beyond the noise.");
    expect(historySentence([run({ outcome: "baseline" })])).toBe("No check yet.");
  });
});
