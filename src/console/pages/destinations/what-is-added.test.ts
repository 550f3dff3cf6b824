import { expect, it } from "vitest";
import { newDraft, type Draft } from "./draft.ts";
import { whatIsAdded } from "./what-is-added.ts";

const [a, b] = ["a".repeat(64), "b".repeat(64)];
const keyName = (hash: string) => (hash === a ? "prod-search …ulek" : "staging-agent …41xq");
const added = (change: Partial<Draft>, passing: number | null = 5) => {
  const fresh = newDraft("otel-collector");
  const draft = { ...fresh, config: { ...fresh.config, endpoint: "http://127.0.0.1:4318/v1/traces" }, ...change };
  return whatIsAdded("otel-collector", draft, { passing, keyName }).map(({ text }) => text);
};

it("the review of a new destination says where to, from which keys, what share, what of it, and how much", () =>
  expect(added({ api_key_hashes: [a, b], sampling_rate: 0.1 })).toEqual([
    "Events go to OpenTelemetry collector at http://127.0.0.1:4318",
    "Metadata only: prompts and responses stay in the gateway",
    "Also sent: who called, provider charges",
    "From 2 keys: prod-search …ulek, staging-agent …41xq",
    "Every call passes",
    "10% of sessions, each whole: 1 in 10",
    "By the last 7 days: about one every 2 days",
  ]));

it("the review of a new destination says that bodies leave, the rules, and no number that is not known", () => {
  const rule = { field: "model", operator: "starts_with", value: "openai/" };
  expect(added({ privacy_mode: false, filter_rules: { groups: [{ rules: [rule] }] } }, null)).toEqual([
    "Events go to OpenTelemetry collector at http://127.0.0.1:4318",
    "Prompts and responses are sent",
    "Also sent: who called, provider charges",
    "From all keys of the workspace, including future ones",
    "Forward when model starts with openai/",
    "Every session, whole",
  ]);
  expect(added({}, 0).at(-1)).toBe("By the last 7 days: no event, as none of the calls passes");
});
