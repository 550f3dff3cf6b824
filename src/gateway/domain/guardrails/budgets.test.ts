import { describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { budgetsOf, memberSpendId, memberSpendIdOf } from "./budgets.ts";
import type { AppliedGuardrail, GuardrailScope } from "./effective.ts";
import { guardrailDefaults } from "./settings.ts";

describe("the budgets of guardrails", () => {
  const applied = (scope: GuardrailScope, limit: bigint | null): AppliedGuardrail => ({
    id: `of ${scope}`,
    name: scope,
    scope,
    settings: { ...guardrailDefaults, limit_nano: limit, reset_interval: limit === null ? null : "weekly" },
  });

  it("are limits of a key or of a member, and name their guardrail", () => {
    const all = [applied("workspace", 1n), applied("member", 2n), applied("key", null)];
    const limit = (scope: string, amount: bigint) => ({
      limit: amount,
      reset: "weekly",
      includeByok: false,
      guardrail: { id: `of ${scope}`, name: scope },
    });
    expect(budgetsOf(all, ["workspace", "key"])).toEqual([limit("workspace", 1n)]);
    expect(budgetsOf(all, ["member"])).toEqual([limit("member", 2n)]);
  });
});

describeGateway("a member's count", (gateway) => {
  it.each(["ana", "日本語 👩‍👩‍👧", "a'b\\c"])("of %s has the id that the migration gives it", async (user) => {
    const { rows } = await gateway().deps.store.pool.query(
      "select left(encode(sha256(convert_to('member ' || $1::text, 'UTF8')), 'hex'), 32)::uuid as id",
      [user],
    );
    expect(rows).toEqual([{ id: memberSpendId(user) }]);
    expect(memberSpendIdOf({ creatorUserId: user })).toBe(memberSpendId(user));
    expect(memberSpendIdOf({ creatorUserId: null })).toBeNull();
  });
});
