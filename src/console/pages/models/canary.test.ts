import { expect, it } from "vitest";
import type { CanaryRecord, CanaryRun } from "#contract/canaries.ts";
import { canaryBars, canarySentence, canaryStatus, historySentence, intervalName } from "./canary.ts";

const now = new Date("2026-11-20T12:00:00Z");
const space = "vs_00112233445566778899-4";
const run = (changes: Partial<CanaryRun> = {}): CanaryRun => {
  const measured = { distance: 0.00002, threshold: 0.0001, space, generation_id: "gen-1" };
  const made = { id: "00000000-0000-4000-8000-000000000001", at: "2026-11-20T11:00:00.000Z", ...measured };
  return { ...made, outcome: "steady", reason: null, message: null, ...changes };
};
const failed = (message: string) => run({ outcome: "failed", message });
const canary = (changes: Partial<CanaryRecord>) => {
  const baseline = { at: "2026-11-18T12:00:00.000Z", space, noise: 0, threshold: 0.0001 };
  const quiet = { status: "steady", drift: null, measures_next: false, failures: 0, running: false };
  return { provider_name: "Acme", every_hours: 24, baseline, last_run: run(), ...quiet, ...changes } as CanaryRecord;
};
const drift = { since: "2026-11-20T11:00:00.000Z", reason: "distance", distance: 0.1234, space } as const;
const shorter = { ...drift, reason: "length", space: "vs_00112233445566778899-3" } as const;

const same = "The same texts have the same vectors as 2 days ago, within the noise of 0.0001.";
const [moved, confirmed] = [
  "The same texts have other vectors: they moved by a cosine distance of 0.12, where up to 0.0001 is noise.",
  "Found 1 h ago and confirmed by a second check.",
];
const baseline = "The baseline was measured 2 days ago: vectors that move by up to 0.0001 are noise.";
const other = "The last check found different vectors. A second check runs within minutes to confirm.";
const noDrift = "The last check failed, which is not drift:";

const fresh = { status: "new", baseline: null } as const;
it.each<[Partial<CanaryRecord>, string, string]>([
  [{ last_run: run({ outcome: "baseline" }) }, "Not checked yet", `${baseline} The next check compares with it.`],
  [{}, "No drift", same],
  [{ status: "drift", drift }, "Drifted", `${moved} ${confirmed}`],
  [
    { status: "drift", drift: shorter },
    "Drifted",
    `Its vectors have another length: 3 numbers instead of 4. ${confirmed}`,
  ],
  [{ status: "suspected" }, "Suspected", other],
  [{ failures: 1, last_run: failed("Acme is down") }, "Last check failed", `${same} ${noDrift} Acme is down.`],
  [{ ...fresh, failures: 2, last_run: failed("No money.") }, "Last check failed", `${noDrift} No money.`],
  [{ ...fresh, measures_next: true, running: true, last_run: null }, "Measuring", "The baseline is being measured."],
])("%#: a canary says what is known of it", (changes, word, sentence) => {
  expect(canaryStatus(canary(changes)).word).toBe(word);
  expect(canarySentence(canary(changes), now)).toBe(sentence);
});

it("a canary is never said to be found in the future, and has a name for any interval", () => {
  const ahead = canary({ status: "drift", drift: { ...drift, since: "2026-11-20T12:00:30.000Z" } });
  expect(canarySentence(ahead, now)).toContain("Found just now and");
  expect([1, 24, 36].map(intervalName)).toEqual(["Every hour", "Every day", "Every 36 hours"]);
});

const runs = [
  run({ outcome: "drift", reason: "length", distance: null }),
  run({ outcome: "failed", distance: null, threshold: null }),
  run({ outcome: "suspected", reason: "distance", distance: 0.3 }),
  run(),
  run({ outcome: "baseline", distance: 0 }),
];

it("its history is drawn oldest first, with what is beyond the noise apart", () => {
  const bars = canaryBars(runs);
  expect(bars.map(({ value }) => value)).toEqual([0, 0.00002, 0.0001, 0, 0.0001]);
  expect(bars.map(({ more }) => more)).toEqual([[0], [0], [0.3 - 0.0001], [0], [1 - 0.0001]]);
  expect(bars.map(({ tick }) => tick)).toEqual(["Baseline", undefined, undefined, undefined, undefined]);
  const labels = [", a new baseline", "", ", not confirmed yet", ", failed", ", another length, drawn as 1"];
  expect(bars.map(({ label }) => label.split(" UTC")[1])).toEqual(labels);
});

it.each([
  [runs, "3 checks, 2 beyond the noise; 1 failed."],
  [[run()], "1 check, none beyond the noise."],
  [[run({ outcome: "baseline" })], "No check yet."],
])("%#: its history is said in a sentence", (of, sentence) => expect(historySentence(of)).toBe(sentence));
