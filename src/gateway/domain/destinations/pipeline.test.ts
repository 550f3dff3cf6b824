import { describe, expect, it } from "vitest";
import type { FilterRule, FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { exampleEvent } from "./example-event.ts";
import { charactersRead, checkFilterRules } from "./filters.ts";
import { compilePipeline, type PipelineSettings } from "./pipeline.ts";
import { filterInThread } from "./filter-thread.ts";
import { patternSize } from "./pattern-size.ts";
import { destinationDefaults, pipelineSettings } from "./settings.ts";

const event: ForwardedEvent = {
  ...exampleEvent("6e9d1c1e-0000-4000-8000-000000000001", new Date("2026-11-20T10:00:00Z")),
  keyName: "prod-search",
  model: "openai/gpt-5",
  provider: "openai",
  providerName: "OpenAI",
  promptTokens: 90,
  completionTokens: 10,
  cost: 0.02,
  byokCost: 0,
  userId: null,
  sessionId: "s-1",
  input: [{ role: "user", content: "the canary sings" }],
  output: [{ message: { role: "assistant", content: "it does" } }],
};

const byDefault = pipelineSettings(destinationDefaults);
const nothing = byDefault.broadcast;
const open: PipelineSettings = {
  ...byDefault,
  broadcast: Object.fromEntries(Object.keys(nothing).map((name) => [name, true])) as typeof nothing,
};
const rules = (...list: FilterRule[]): FilterRules => ({ groups: [{ rules: list }] });
const decisionUnder = (settings: Partial<PipelineSettings>, of: Partial<ForwardedEvent> = {}) =>
  compilePipeline({ ...open, ...settings })({ ...event, ...of });

describe("the order of the pipeline", () => {
  const stop = {
    enabled: false,
    apiKeyHashes: ["b"],
    filterRules: rules({ field: "model", operator: "equals", value: "x" }),
    samplingRate: 0.0001,
  };
  it("asks enabled, allowlist, filters, sampling, one after the other", () => {
    expect(decisionUnder(stop)).toEqual({ outcome: "disabled" });
    expect(decisionUnder({ ...stop, enabled: true })).toEqual({ outcome: "not_in_allowlist" });
    expect(decisionUnder({ ...stop, enabled: true, apiKeyHashes: null })).toEqual({
      outcome: "filtered",
      by: { group: 0, rule: 0 },
    });
    expect(decisionUnder({ samplingRate: 0.0001 })).toEqual({ outcome: "sampled_out" });
    expect(decisionUnder({})).toEqual({ outcome: "forwarded", event });
  });
  it("lets filters read a body that privacy then removes", () => {
    const filterRules = rules({ field: "input", operator: "contains", value: "canary" });
    const settings = { privacyMode: true, filterRules };
    expect(decisionUnder(settings)).toEqual({ outcome: "forwarded", event: { ...event, input: null, output: null } });
  });
});

describe("what goes only where it was asked for", () => {
  const detailed = { referer: "https://app.example", appTitle: "App", userAgent: "curl", requestId: "req-1" };
  it.each([
    ["broadcast_generation_identity", { keyHash: event.keyHash, keyName: "prod-search" }],
    ["broadcast_generation_cost", { byokCost: 0 }],
    ["broadcast_generation_request_context", detailed],
  ] as const)("%s", (part, members) => {
    const without = decisionUnder({ broadcast: nothing }, detailed);
    const withPart = decisionUnder({ broadcast: { ...nothing, [part]: true } }, detailed);
    for (const member of Object.keys(members)) expect(without).toHaveProperty(`event.${member}`, null);
    expect(withPart).toMatchObject({ outcome: "forwarded", event: members });
  });
});

describe("filter rules", () => {
  it.each([
    [{ field: "model", operator: "starts_with", value: "openai/" }, true],
    [{ field: "model", operator: "ends_with", value: "-4" }, false],
    [{ field: "model", operator: "regex", value: "^(openai|mistral)/gpt-\\d$" }, true],
    [{ field: "provider", operator: "equals", value: "openai" }, true],
    [{ field: "provider", operator: "equals", value: "OpenAI" }, true],
    [{ field: "provider", operator: "equals", value: "Mistral" }, false],
    [{ field: "provider", operator: "not_equals", value: "openai" }, false],
    [{ field: "provider", operator: "not_equals", value: "OpenAI" }, false],
    [{ field: "provider", operator: "not_contains", value: "AI" }, false],
    [{ field: "provider", operator: "exists" }, true],
    [{ field: "input", operator: "equals", value: "the canary sings" }, true],
    [{ field: "input", operator: "starts_with", value: "the" }, true],
    [{ field: "input", operator: "regex", value: "^the canary sings$" }, true],
    [{ field: "output", operator: "equals", value: "it does" }, true],
    [{ field: "output", operator: "contains", value: "assistant" }, false],
    [{ field: "output", operator: "not_contains", value: "canary" }, true],
    [{ field: "user_id", operator: "exists" }, false],
    [{ field: "user_id", operator: "not_exists" }, true],
    [{ field: "user_id", operator: "equals", value: "u" }, false],
    [{ field: "total_cost", operator: "gt", value: 0.01 }, true],
    [{ field: "total_cost", operator: "lte", value: "0.01" }, false],
    [{ field: "total_tokens", operator: "equals", value: 100 }, true],
    [{ field: "completion_tokens", operator: "gte", value: 11 }, false],
  ] as [FilterRule, boolean][])("%j lets the call through: %s", (rule, through) => {
    expect(checkFilterRules(rules(rule))).toEqual([]);
    expect(decisionUnder({ filterRules: rules(rule) }).outcome).toBe(through ? "forwarded" : "filtered");
  });
  it("joins within a group by its logic, and wants every group", () => {
    const no: FilterRule = { field: "model", operator: "equals", value: "x" };
    const yes: FilterRule = { field: "model", operator: "exists" };
    const under = (filterRules: FilterRules) => decisionUnder({ filterRules });
    expect(under({ groups: [{ logic: "or", rules: [no, yes] }] }).outcome).toBe("forwarded");
    expect(under({ groups: [{ rules: [yes, no] }] })).toEqual({ outcome: "filtered", by: { group: 0, rule: 1 } });
    const both = { groups: [{ rules: [yes] }, { rules: [no] }] };
    expect(under(both)).toEqual({ outcome: "filtered", by: { group: 1, rule: 0 } });
    expect(under({ enabled: false, groups: [{ rules: [no] }] }).outcome).toBe("forwarded");
  });

  it.each([
    [{ field: "model", operator: "equals" }, "filter_rules.groups.0.rules.0.value"],
    [{ field: "total_cost", operator: "contains", value: 1 }, "filter_rules.groups.0.rules.0.operator"],
    [{ field: "total_cost", operator: "gt", value: "much" }, "filter_rules.groups.0.rules.0.value"],
    [{ field: "model", operator: "gt", value: 1 }, "filter_rules.groups.0.rules.0.operator"],
    [{ field: "input", operator: "regex", value: "(" }, "filter_rules.groups.0.rules.0.value"],
    [{ field: "input", operator: "regex", value: "(?=lookahead)" }, "filter_rules.groups.0.rules.0.value"],
    [{ field: "input", operator: "regex", value: "(abc){900}" }, "filter_rules"],
  ] as [FilterRule, string][])("%j is refused at %s", (rule, path) =>
    expect(checkFilterRules(rules(rule)).map((issue) => issue.path)).toEqual([path]),
  );
  it("matches a pattern that backtracking engines choke on", () => {
    const settings = { filterRules: rules({ field: "input", operator: "regex", value: "^(a+)+$" }) };
    expect(decisionUnder(settings, { input: `${"a".repeat(50_000)}!` }).outcome).toBe("filtered");
  });
});

describe("patterns over a long text", () => {
  const worst = `${"(a|b|ab)*".repeat(190)}[cd]`;
  const filterRules = rules({ field: "input", operator: "regex", value: worst });
  const reads = charactersRead(filterRules);
  const text = "ab".repeat(100_000);
  const longEvent = (at: number) => ({ ...event, input: `${text.slice(0, at)}c${text.slice(at)}` });

  it("take a bounded number of steps, whatever is accepted", () => {
    expect(checkFilterRules(filterRules)).toEqual([]);
    expect(reads * patternSize(worst)).toBeLessThanOrEqual(1_000_000);
    const plain: FilterRule = { field: "input", operator: "regex", value: "a+b" };
    const many = rules(...Array.from({ length: 100 }, () => plain));
    expect(charactersRead(many) * 100 * patternSize("a+b")).toBeLessThanOrEqual(1_000_000);
    expect(charactersRead(rules({ field: "input", operator: "regex", value: "[cd]" }))).toBeGreaterThan(text.length);
  });
  it("read the same beginning of it in the forwarder and where rules are tried", async () => {
    const seen = [longEvent(reads - 1), longEvent(reads), longEvent(150_000)];
    const decide = compilePipeline({ ...open, filterRules });
    expect(seen.map((one) => decide(one).outcome)).toEqual(["forwarded", "filtered", "filtered"]);
    const tried = await filterInThread(seen, filterRules);
    expect(seen.map((one) => tried.get(one))).toEqual([null, { group: 0, rule: 0 }, { group: 0, rule: 0 }]);
  });
  it("are refused while many others wait, and taken again after them", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => filterInThread([event], filterRules)));
    const refused = asked.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(2);
    for (const one of refused)
      expect(one).toMatchObject({ status: 503, message: expect.stringContaining("try again") });
    expect((await filterInThread([event], filterRules)).get(event)).toBeNull();
  });
});
