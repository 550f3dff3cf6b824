import { sql } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { claimDue, keepClaim, recordRun } from "../../domain/providers/canary-runs.ts";
import { Refusal } from "../../domain/refusal.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { patience } from "../../testing/eventually.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import type { ModelCall } from "../model-call.ts";
import { startCanaries } from "./canaries.ts";

const minute = 60_000;

describeGateway("drift canaries in several processes", (gateway) => {
  withVendor(gateway);
  const db = () => gateway().deps.store.db;
  /** Each a process of its own as far as claims go; the gateway's own clock is behind all of them. */
  const deps = (aheadMs = 0) => {
    const at = new Date(gateway().clock.now().getTime() + 24 * 60 * minute + aheadMs);
    return { ...gateway().deps, now: () => at };
  };
  /** A canary that is not due for the gateway's own process. */
  const insert = async () => {
    const id = crypto.randomUUID();
    await sql`insert into canaries (id, provider, model, workspace_id, every_hours, created_at, measure, suspected,
        failures, next_run_at)
      select ${id}, 'acme', 'acme/embed', w.id, 24, ${gateway().clock.now()}, true, false, 0, ${deps().now()}
      from workspaces w where w.is_default`.execute(db());
    return id;
  };
  const row = async (id: string) =>
    (
      await sql<{ claim: string | null; failures: number; next_run_at: Date }>`
      select claim, failures, next_run_at from canaries where id = ${id}`.execute(db())
    ).rows[0];
  const finding = {
    run: {
      outcome: "failed",
      reason: null,
      distance: null,
      threshold: null,
      space: null,
      message: "no",
      generation_id: null,
    },
    changes: {},
  } as const;
  afterEach(async () => {
    await sql`delete from canaries`.execute(db());
  });

  it("are run by one of them only", async () => {
    const id = await insert();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDue(deps())));
    expect(claims.filter((claim) => claim !== null).map((claim) => claim.id)).toEqual([id]);
  });

  it("are taken over from one that is gone, whose late finding does not count", async () => {
    const id = await insert();
    const gone = await claimDue(deps());
    expect(await claimDue(deps(minute - 1))).toBeNull();
    const next = await claimDue(deps(minute));
    if (gone === null || next === null) throw new Error("both claimed it");
    await recordRun(deps(), gone, finding, 0.5);
    expect(await row(id)).toMatchObject({ claim: next.claim, failures: 0 });
    await recordRun(deps(minute), next, finding, 0.5);
    expect(await row(id)).toMatchObject({ claim: null, failures: 1 });
  });

  it("stay with one that takes longer than a claim lasts", async () => {
    await insert();
    const claimed = await claimDue(deps());
    if (claimed === null) throw new Error("it is due");
    await keepClaim(deps(minute - 1), claimed);
    expect(await claimDue(deps(minute))).toBeNull();
  });

  it("are tried again later after a fault of the gateway's own, which is on the log", async () => {
    const id = await insert();
    const logged: string[] = [];
    const relay = { embeddings: () => Promise.reject(new TypeError("a defect")) };
    const log = (_: string, message: string) => void logged.push(message);
    const canaries = startCanaries(deps(), relay, { random: () => 0.5, log });
    await vi.waitFor(async () => expect(await row(id)).toMatchObject({ claim: null, failures: 1 }), {
      timeout: patience,
    });
    await canaries.close();
    expect(logged).toEqual(["a drift canary failed unexpectedly"]);
    const next = (await row(id))?.next_run_at ?? new Date(0);
    expect(next.getTime() - deps().now().getTime()).toBe(5 * minute);
  });

  describe("when a process stops", () => {
    const log = () => {};

    it("are given back, unfinished, for another one to run", async () => {
      const id = await insert();
      const calls: ModelCall[] = [];
      const relay = {
        embeddings: async (call: ModelCall) => {
          calls.push(call);
          await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
          throw new Refusal("unavailable", "The gateway stopped");
        },
      };
      const canaries = startCanaries(deps(), relay, { random: () => 0.5, log });
      await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: patience });
      expect((await row(id))?.claim).not.toBeNull();
      await canaries.close();
      expect(await row(id)).toMatchObject({ claim: null, failures: 0, next_run_at: deps().now() });
      expect(calls).toHaveLength(1);
    });

    it("begin no further call of a baseline", async () => {
      await insert();
      let calls = 0;
      const stopped = Promise.withResolvers<unknown>();
      const relay = {
        embeddings: async (call: ModelCall) => {
          calls += 1;
          call.judge?.({ id: "gen-1", vectors: [[1]], space: "vs_0-1" });
          stopped.resolve(canaries.close());
          return { status: 200, headers: {}, body: "" };
        },
      };
      const canaries = startCanaries(deps(), relay, { random: () => 0.5, log });
      await stopped.promise;
      expect(calls).toBe(1);
    });
  });
});
