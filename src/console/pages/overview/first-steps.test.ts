import { expect, it } from "vitest";
import { model, noCalls, provider } from "../../api/example-providers.ts";
import { type ArrivedCall, arrivalWords, costWords, limitStep, tokenWords } from "./first-call.ts";
import { arrivedCall, nextKept, readyOf } from "./first-steps.ts";

const models = [{ id: "acme/small" }, { id: "acme/large" }, { id: "gatehouse/lexical" }];
const serving = (ids: string[], status: typeof noCalls.status = "up", enabled = true) =>
  provider("p", { enabled, health: { ...noCalls, status }, models: ids.map((id) => model(id)) });
const builtin = serving(["gatehouse/lexical"], "idle");
const both = ["acme/small", "acme/large"];
const semantic = "gatehouse/semantic-en";

const off = serving(["acme/small"], "up", false);
const two = (["credentials", "slow"] as const).map((status) => serving(["acme/small"], status));
it.each([
  ["it is up", models, [serving(both), builtin], "gatehouse/lexical", 2],
  ["it is not down", models, [serving(both, "down"), builtin], "gatehouse/lexical", 0],
  ["it is on", models, [off, builtin], "gatehouse/lexical", 0],
  ["another one can be called", models, two, "acme/small", 0],
  // of those that are ready, the one that the first call goes to is named
  ["it is built in", [...models, { id: semantic }], [serving(["gatehouse/lexical", semantic], "idle")], semantic, 1],
])("a model is ready where %s", (_, all, providers, id, others) =>
  expect(readyOf(all, providers).model).toEqual({ id, others }),
);

it("models that are offered while nothing works are no models, and the call remembered is the first that came", () => {
  expect(readyOf(models, [serving(["acme/small"], "down")])).toEqual({ model: undefined, down: "acme/small" });
  expect(readyOf([], [])).toEqual({ model: undefined, down: undefined });
  const calls = [{ id: "gen-2" }, { id: "gen-1" }];
  expect([nextKept(null, []), nextKept("shown", [])]).toEqual(["shown", null]);
  expect(arrivedCall(nextKept("shown", calls))).toBe("gen-1");
  // who comes to an installation that is in use has waited for nothing
  expect(nextKept(null, calls)).toBe("done");
  expect([null, "shown", "done"].map(arrivedCall)).toEqual([null, null, null]);
});

const answer = { status: 200, duration_ms: 38, created_at: "2026-11-20T17:42:00.000Z" };
const cost = { prompt_tokens: 1_204, completion_tokens: 0, cost: 0.000012, byok_cost: 0, priced: true };
const made = { model: "acme/embed", key_hash: "a".repeat(64), key_name: "search", api_type: "embeddings" } as const;
const call: ArrivedCall = { ...made, ...answer, ...cost };

it("says how the first call went, what it took, and whether its key has a limit", () => {
  expect(arrivalWords(call)).toBe("acme/embed answered it in 38 ms. The key works where you put it.");
  const failed = "The key works, and the call failed with HTTP 502. Its page says why.";
  expect(arrivalWords({ ...call, status: 502 })).toBe(failed);
  expect(tokenWords(call)).toBe("1,204 in");
  expect(tokenWords({ ...call, api_type: "completions", completion_tokens: 7 })).toBe("1,204 in, 7 out");
  const costs = [{}, { cost: 0, byok_cost: 0.5 }, { cost: 0 }, { cost: 0, priced: false }];
  expect(costs.map((cost) => costWords({ ...call, ...cost }))).toEqual(["$0.000012", "$0.50", "free", "no price"]);
  const key = { name: "search", limit: null, limit_watch_only: false };
  expect(limitStep(undefined).done).toBe(false);
  expect(limitStep(key)).toEqual({ done: false, detail: "search can spend any amount." });
  expect(limitStep({ ...key, limit: 5 })).toEqual({ done: true, detail: "search can spend $5.00." });
  expect(limitStep({ ...key, limit: 5, limit_watch_only: true }).detail).toBe("search is watched from $5.00.");
});
