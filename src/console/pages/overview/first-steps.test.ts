import { expect, it } from "vitest";
import type { ProviderRecord } from "#contract/providers.ts";
import { arrivedCall, nextKept, readyOf } from "./first-steps.ts";

const models = [{ id: "acme/small" }, { id: "acme/large" }, { id: "gatehouse/lexical" }];

function provider(ids: string[], status: ProviderRecord["health"]["status"], enabled = true) {
  const health = { status, calls_last_30m: 0, error_rate_last_30m: null, ledger: { hours: [] } };
  return { enabled, health, models: ids.map((id) => ({ id })) } as unknown as ProviderRecord;
}

it("a model counts as ready where one of its providers can be called", () => {
  const builtin = provider(["gatehouse/lexical"], "idle");
  const up = provider(["acme/small", "acme/large"], "up");
  expect(readyOf(models, [up, builtin]).model).toEqual({ id: "gatehouse/lexical", others: 2 });
  for (const unfit of [provider(["acme/small", "acme/large"], "down"), provider(["acme/small"], "up", false)]) {
    expect(readyOf(models, [unfit, builtin]).model).toEqual({ id: "gatehouse/lexical", others: 0 });
  }
  expect(readyOf(models, [provider(["acme/small"], "credentials"), provider(["acme/small"], "slow")]).model).toEqual({
    id: "acme/small",
    others: 0,
  });
});

it("of the models that are ready, the one that the first call goes to is named", () => {
  const semantic = "gatehouse/semantic-en";
  const builtin = provider(["gatehouse/lexical", semantic], "idle");
  expect(readyOf([...models, { id: semantic }], [builtin]).model).toEqual({ id: semantic, others: 1 });
});

it("models that are offered while nothing works are told from no models at all", () => {
  expect(readyOf(models, [provider(["acme/small"], "down")])).toEqual({ model: undefined, down: "acme/small" });
  expect(readyOf([], [])).toEqual({ model: undefined, down: undefined });
});

it("the call that is remembered is the first that came while the steps were shown", () => {
  const [first, second] = [{ id: "gen-1" }, { id: "gen-2" }];
  expect(nextKept(null, [])).toBe("shown");
  expect(nextKept("shown", [])).toBeNull();
  const kept = nextKept("shown", [second, first]);
  expect(arrivedCall(kept)).toBe("gen-1");
  // who comes to an installation that is in use has waited for nothing
  expect(nextKept(null, [second, first])).toBe("done");
  expect([null, "shown", "done"].map(arrivedCall)).toEqual([null, null, null]);
});
