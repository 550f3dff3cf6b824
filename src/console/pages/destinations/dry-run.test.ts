import { expect, it } from "vitest";
import { newDraft, type Draft } from "./draft.ts";
import { dryRun } from "./dry-run.ts";

const run = (change: Partial<Draft>) => dryRun({ ...newDraft("webhook"), ...change }, undefined);
const rule = (value: string) => ({ field: "model", operator: "equals", value });
const unfinished = { groups: [{ rules: [rule("acme/talk")] }, { rules: [rule("acme/talk"), rule("")] }] };

it("settings that are not finished are left out of what is asked, and it is said what to finish", () => {
  expect(run({ sampling_rate: 0.1 })).toMatchObject({ missing: null, body: { sampling_rate: 0.1 } });
  const { body, missing } = run({ filter_rules: unfinished, sampling_rate: 0.1 });
  expect([body.filter_rules, body.sampling_rate, missing]).toEqual([null, 0.1, "finish rule 2 of group 2"]);
  expect(run({ api_key_hashes: [] })).toMatchObject({ missing: "choose a key", body: { api_key_hashes: null } });
  expect(run({ sampling_rate: null })).toMatchObject({ missing: "enter the sampling rate" });
});
