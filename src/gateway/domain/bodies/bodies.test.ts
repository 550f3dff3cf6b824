import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CreateDestinationBody } from "#contract/destinations.ts";
import { largestBody } from "#contract/generations.ts";
import { refusedCallDays } from "#contract/refused-calls.ts";
import { hourMs } from "#contract/time.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as destinations from "../destinations/destinations.ts";
import * as workspaces from "../workspaces/workspaces.ts";
import { createBodyCapture } from "./capture.ts";
import { purgeBodies, purgeExcess } from "./purge.ts";
import { readBodies } from "./store.ts";

const body = { input: ["hello"], output: null, error: null };

describeGateway("bodies", (gateway) => {
  const { context, makeWorkspace, commit } = ownContext(gateway);
  /** Switched off, so that it asks for bodies and waits for them without ever being sent anything. */
  const makeDestination = async (workspace_id: string, settings: Partial<CreateDestinationBody> = {}) => {
    const sink = { type: "webhook", name: "Sink", config: { url: "https://93.184.216.34/" }, enabled: false } as const;
    return (await destinations.create(context(), { ...sink, workspace_id, ...settings })).data.id;
  };
  const broadcast = async (workspace: string, is_observability_broadcast_enabled: boolean) =>
    await workspaces.update(context(), workspace, { is_observability_broadcast_enabled });
  const query = async <Row extends object>(text: string, ...values: unknown[]) =>
    (await gateway().deps.store.pool.query<Row>(text, values)).rows;

  describe("are captured", () => {
    /** Who a call's bodies are kept for. */
    async function keptFor(workspace: string, logged: boolean, value: unknown = body) {
      const { store, secrets } = gateway().deps;
      const capture = createBodyCapture(store, secrets);
      await capture.refresh();
      let asked = 0;
      const kept = capture.keep(workspace, logged, () => {
        asked += 1;
        return value as typeof body;
      });
      return { kept, asked, any: capture.anyDestination() };
    }
    const json = JSON.stringify(body);
    const rule = (field: "input" | "output" | "model") => ({
      groups: [{ rules: [{ field, operator: "contains" as const, value: "x" }] }],
    });

    it("for nobody unless somebody needs them, and then they are not even put together", async () =>
      expect(await keptFor(await makeWorkspace(), false)).toMatchObject({ kept: null, asked: 0 }));

    it("for the workspace that logs them, for a destination, or for both", async () => {
      const workspace = await makeWorkspace();
      expect((await keptFor(workspace, true)).kept).toEqual({ json, forwarded: false, logged: true });
      await makeDestination(workspace);
      expect((await keptFor(workspace, false)).kept).toEqual({ json, forwarded: true, logged: false });
      expect((await keptFor(workspace, true)).kept).toEqual({ json, forwarded: true, logged: true });
    });

    it.each([
      ["that may not have them", { privacy_mode: true }, false],
      ["whose rules look at the prompt", { privacy_mode: true, filter_rules: rule("input") }, true],
      ["whose rules look at the answer", { privacy_mode: true, filter_rules: rule("output") }, true],
      ["whose rules look at something else", { privacy_mode: true, filter_rules: rule("model") }, false],
    ])("for a destination %s, or not", async (_, settings, forwarded) => {
      const workspace = await makeWorkspace();
      await makeDestination(workspace, settings);
      expect((await keptFor(workspace, false)).kept).toEqual(forwarded ? { json, forwarded, logged: false } : null);
    });

    it("for no destination of a workspace that forwards nothing, for none that is deleted, and for no other workspace's", async () => {
      const workspace = await makeWorkspace();
      const id = await makeDestination(workspace);
      expect((await keptFor(await makeWorkspace(), false)).kept).toBeNull();
      await broadcast(workspace, false);
      expect((await keptFor(workspace, false)).kept).toBeNull();
      await broadcast(workspace, true);
      expect((await keptFor(workspace, false)).kept).not.toBeNull();
      await destinations.remove(context(), id);
      expect((await keptFor(workspace, false)).kept).toBeNull();
    });

    it("up to a length, and when they are JSON: otherwise the call goes on without them", async () => {
      const workspace = await makeWorkspace();
      const kept = async (value: unknown) => (await keptFor(workspace, true, value)).kept;
      const around = JSON.stringify({ input: [""] }).length;
      expect((await kept({ input: ["x".repeat(largestBody - around)] }))?.json).toHaveLength(largestBody);
      expect(await kept({ input: ["x".repeat(largestBody - around + 1)] })).toBeNull();
      const endless: unknown[] = [];
      endless.push(endless);
      for (const input of [endless, [1n]]) expect(await kept({ input })).toBeNull();
    });

    it("knows whether any destination is switched on", async () => {
      const workspace = await makeWorkspace();
      expect((await keptFor(workspace, false)).any).toBe(false);
      const id = await makeDestination(workspace, { enabled: true });
      expect((await keptFor(workspace, false)).any).toBe(true);
      await destinations.remove(context(), id);
      expect((await keptFor(workspace, false)).any).toBe(false);
    });
  });

  const kept = (text: string, logged = false) => ({
    body: { json: JSON.stringify({ ...body, input: [text] }), forwarded: true, logged },
  });
  const stored = async (table: "forwarding_bodies" | "generation_contents", workspace: string) =>
    (await query(`select 1 from ${table} where workspace_id = $1`, workspace)).length;

  describe("are read back", () => {
    async function read(workspace: string, mostBytes = 1_000_000) {
      const { store, secrets } = gateway().deps;
      const rows = await query<{ id: string; created_at: Date; xact: string }>(
        "select id, created_at, xact::text as xact from ledger where workspace_id = $1 order by ledger.xact, seq",
        workspace,
      );
      const calls = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString(), workspace_id: workspace }));
      const ask = async (name: string, text: string, values: readonly unknown[]) =>
        (await store.pool.query<{ json: string | null }>({ name, text, values: [...values] })).rows;
      const { bodies, examined } = await readBodies(ask, secrets, calls, mostBytes);
      const inputOf = (id: string) => (bodies.has(id) ? JSON.parse(bodies.get(id) ?? "").input[0] : null);
      return { said: calls.map(({ id }) => inputOf(id)), examined };
    }

    it("for each call of several commits, and from the workspace's own log once they no longer wait", async () => {
      const workspace = await makeWorkspace();
      await makeDestination(workspace);
      await commit(workspace, "2027-01-05T10:00:00Z", kept("a", true), kept("b"), {});
      await commit(workspace, "2027-01-05T10:00:01Z", kept("c"));
      expect(await read(workspace)).toEqual({ said: ["a", "b", null, "c"], examined: 4 });
      await query("delete from forwarding_bodies where workspace_id = $1", workspace);
      expect(await read(workspace)).toEqual({ said: ["a", null, null, null], examined: 4 });
    });

    it("up to so many bytes, by whole commits, and says how many calls that was", async () => {
      const workspace = await makeWorkspace();
      await makeDestination(workspace);
      for (const second of [1, 2, 3])
        await commit(workspace, `2027-01-06T10:00:0${second}Z`, kept(`${second}a`), kept(`${second}b`));
      expect(await read(workspace, 1)).toEqual({ said: ["1a", "1b", null, null, null, null], examined: 2 });
      expect(await read(workspace)).toEqual({ said: ["1a", "1b", "2a", "2b", "3a", "3b"], examined: 6 });
      await expect(read(await makeWorkspace())).resolves.toEqual({ said: [], examined: 0 });
    });
  });

  describe("that wait for destinations", () => {
    const settle = async (workspace: string) => await commit(workspace, "2027-01-07T10:00:00Z", kept("waits"));
    /** As if a destination had been sent everything that is on the ledger. */
    const passed = "update forwarding set cursor_xact = pg_current_xact_id(), cursor_seq = 0 where destination_id = $1";
    const pass = async (id: string) => await query(passed, id);
    const left = async (workspace: string) => {
      await purgeBodies(gateway().deps.store);
      return await stored("forwarding_bodies", workspace);
    };

    it("are kept until the last destination that reads them has passed them, and gone then", async () => {
      const workspace = await makeWorkspace();
      const [fast, slow] = [await makeDestination(workspace), await makeDestination(workspace)];
      await makeDestination(workspace, { privacy_mode: true });
      await settle(workspace);
      expect(await left(workspace)).toBe(1);
      await pass(fast);
      expect(await left(workspace)).toBe(1);
      await settle(workspace);
      await pass(slow);
      // the fast one waits for the second call
      expect(await left(workspace)).toBe(1);
      await pass(fast);
      expect(await left(workspace)).toBe(0);
    });

    it("are gone with the last destination, and when the workspace forwards nothing any more", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const id = await makeDestination(one);
      await makeDestination(other);
      for (const workspace of [one, other]) await settle(workspace);
      await destinations.remove(context(), id);
      expect([await left(one), await left(other)]).toEqual([0, 1]);
      await broadcast(other, false);
      expect(await left(other)).toBe(0);
    });
  });

  describe("are deleted by age and by size", () => {
    /** Later than the gateway's own clock, by which it purges too. */
    const now = new Date("2040-02-01T12:00:00.000Z");
    const ago = (hours: number, ms = 0) => new Date(now.getTime() - hours * hourMs - ms);
    const waiting = async (workspace: string, at: Date, bytes = 1) =>
      await query(
        "insert into forwarding_bodies (workspace_id, n, created_at, bytes, sealed) values ($1, 0, $2, $3, 'x')",
        workspace,
        at,
        bytes,
      );

    it("after 24 hours where a destination does not take them, after 30 days in a workspace's log, to the millisecond", async () => {
      const workspace = await makeWorkspace();
      for (const late of [0, 1]) await waiting(workspace, ago(24, late));
      const logged = "insert into generation_contents (id, workspace_id, created_at, sealed)";
      await query(`${logged} values ('gen-kept', $1, $2, 'x')`, workspace, ago(30 * 24));
      // more than are deleted at once
      const many = "select 'gen-old-' || n, $1::uuid, $2::timestamptz, 'x' from generate_series(1, 501) as n";
      await query(`${logged} ${many}`, workspace, ago(30 * 24, 1));
      await purgeExcess(gateway().deps.store, now);
      expect(await stored("forwarding_bodies", workspace)).toBe(1);
      expect(await stored("generation_contents", workspace)).toBe(1);
    });

    it("beyond a gigabyte that waits, the oldest first", async () => {
      const workspace = await makeWorkspace();
      for (const hours of [3, 2, 1]) await waiting(workspace, ago(hours), 500_000_000);
      await purgeExcess(gateway().deps.store, now);
      const left = "delete from forwarding_bodies where workspace_id = $1 returning created_at";
      const instants = (await query<{ created_at: Date }>(left, workspace)).map(({ created_at }) =>
        created_at.getTime(),
      );
      expect(instants.toSorted((a, b) => a - b)).toEqual([ago(2).getTime(), ago(1).getTime()]);
    });

    it("and so are counts that are no longer shown: of deliveries after two days, of refused calls after a month", async () => {
      const [workspace, destination] = [await makeWorkspace(), randomUUID()];
      for (const late of [0, 1]) {
        const delivered = "insert into forwarding_minutes (destination_id, minute) values ($1, $2)";
        await query(delivered, destination, ago(48, late));
        await query(
          `insert into refused_calls (key_hash, minute, reason, status, workspace_id, count, first_at, last_at,
             last_request_id, last_message) values ('k', $2, 'not_found', 404, $1, 1, $2, $2, 'req-1', '')`,
          workspace,
          ago(refusedCallDays * 24, late),
        );
      }
      await purgeExcess(gateway().deps.store, now);
      const delivered = "select minute from forwarding_minutes where destination_id = $1";
      expect(await query(delivered, destination)).toEqual([{ minute: ago(48) }]);
      const refused = "select minute from refused_calls where workspace_id = $1";
      expect(await query(refused, workspace)).toEqual([{ minute: ago(refusedCallDays * 24) }]);
    });
  });
});
