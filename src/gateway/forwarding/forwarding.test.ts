import pg from "pg";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { keeps } from "#contract/sampling.ts";
import { createCursorStore } from "../domain/destinations/cursor-store.ts";
import { repairRestoredCursors } from "../domain/destinations/repair-restored-cursors.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { type FakeSink, type SinkReply, startFakeSink } from "../testing/fake-sink.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { createDatabase } from "../testing/postgres.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const path = "/observability/destinations";

/** As the store's pool is asked. */
interface Statement {
  readonly name?: string;
  readonly values?: readonly unknown[];
}

describeGateway("forwarding", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  withVendor(gateway);
  const sinks: FakeSink[] = [];
  const startSink = async () => {
    const started = await startFakeSink();
    sinks.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(sinks.splice(0).map((each) => each.close()));
  });

  const addDestination = async (workspace: string, url: string, more: Record<string, unknown> = {}) => {
    const body = { name: "Sink", type: "webhook", config: { url }, workspace_id: workspace, ...more };
    const made = await call("POST", path, { body });
    expect(made.status, made.text).toBe(201);
    return made.json.data.id as string;
  };
  const ownerOf = async (id: string) => {
    const text = "select owner from forwarding where destination_id = $1";
    return (await gateway().deps.store.pool.query<{ owner: string | null }>(text, [id])).rows[0]?.owner ?? null;
  };
  /** A workspace with a key of its own and a webhook at a sink, which is forwarded to unless it is switched off. */
  const setUp = async (more: Record<string, unknown> = {}) => {
    const sink = await startSink();
    const workspace = await makeWorkspace(gateway());
    const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id });
    const id = await addDestination(workspace.id, sink.url, more);
    if (more["enabled"] !== false) await owned(id, true);
    return { sink, workspace, key, hash: record.hash, id };
  };
  const embed = async (key: string, body: Record<string, unknown> = {}) => {
    const answer = await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "hello", ...body } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.id as string;
  };
  const embedMany = async (key: string, count: number, session?: string) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await embed(key, session ? { session_id: session } : {}));
    return ids;
  };
  const chat = async (key: string, content: string, body: Record<string, unknown> = {}) => {
    const messages = [{ role: "user", content }];
    const answer = await call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages, ...body } });
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };
  const health = async (id: string): Promise<DestinationHealth> =>
    (await call("GET", `${path}/${id}/health`)).json.data;
  const healthy = (id: string, right: (health: DestinationHealth) => boolean) => eventually(() => health(id), right);
  const caughtUp = (id: string) => healthy(id, ({ backlog }) => backlog === 0);
  /** Waits until somebody, or nobody, forwards to it: what is switched off may be on its way until then. */
  const owned = (id: string, isOwned: boolean) =>
    eventually(
      () => ownerOf(id),
      (owner) => (owner !== null) === isOwned,
    );
  const letGo = (id: string) => owned(id, false);
  /** Two rounds of the forwarder. */
  const renewedTwice = async (id: string) => {
    const heldUntil = async () => {
      const text = "select owned_until from forwarding where destination_id = $1";
      return Number((await gateway().deps.store.pool.query<{ owned_until: Date }>(text, [id])).rows[0]?.owned_until);
    };
    for (let renewed = 0; renewed < 2; renewed += 1) {
      const before = await heldUntil();
      await eventually(heldUntil, (until) => until > before);
    }
  };
  const requested = (sink: FakeSink) =>
    eventually(
      () => sink.requests.length,
      (count) => count === 1,
    );
  const change = async (id: string, body: object) => {
    const answer = await call("PATCH", `${path}/${id}`, { body });
    expect(answer.status, answer.text).toBe(200);
  };
  /** The order in which ids arrived first. */
  const firstArrivals = ({ accepted }: FakeSink) => [...new Set(accepted)];

  it("sends embedding calls and chat calls, whole and streamed, with their bodies", async () => {
    const { sink, key } = await setUp();
    const ids = [await embed(key, { input: ["first text", "second text"] })];
    ids.push((await chat(key, "what is a gatehouse", { session_id: "s1", user: "u1", temperature: 0.5 })).json.id);
    const streamed = await chat(key, "say it slowly", { stream: true });
    ids.push(/"id":"(gen-[^"]+)"/.exec(streamed.text)?.[1] ?? "none");
    await sink.until(3);
    expect(firstArrivals(sink)).toEqual(ids);
    const text = sink.requests.map((request) => request.text).join("\n");
    for (const said of ["first text", "what is a gatehouse", "say it slowly"]) expect(text).toContain(said);
    for (const [name, value] of Object.entries({
      "gen_ai.request.temperature": { doubleValue: 0.5 },
      "gen_ai.request.encoding_formats": { arrayValue: { values: [{ stringValue: "float" }] } },
      "gen_ai.request.stream": { boolValue: true },
      "server.address": { stringValue: "127.0.0.1" },
    })) {
      expect(text).toContain(JSON.stringify({ key: name, value }));
    }
  });

  it("sends failed calls too, and calls of its own workspace only", async () => {
    const { sink, key } = await setUp();
    const other = await setUp();
    await embed(other.key);
    const refused = await call("POST", "/chat/completions", {
      key,
      body: { model: "acme/talk", messages: [{ role: "user", content: "x" }], max_tokens: -1 },
    });
    expect(refused.status).toBe(400);
    const id = await embed(key);
    await sink.until(1);
    expect(sink.accepted).toEqual([id]);
  });

  it("keeps prompts and answers from a sink in privacy mode, and from the log", async () => {
    const canary = "canary-7f3a9c";
    const { sink, key, workspace } = await setUp({ privacy_mode: true });
    const open = await startSink();
    await addDestination(workspace.id, open.url);
    sink.behave(({ ids }) => (ids.length > 0 && sink.requests.length < 3 ? { status: 500, body: "no" } : null));
    await embed(key, { input: `the ${canary} sings` });
    await chat(key, `the ${canary} sings again`);
    await sink.until(2);
    await open.until(2);
    expect(sink.requests.map(({ text }) => text).join("\n")).not.toContain(canary);
    expect(open.requests.map(({ text }) => text).join("\n")).toContain(canary);
    expect(gateway().log()).not.toContain(canary);
    const { rows } = await gateway().deps.store.pool.query("select sealed from forwarding_bodies");
    expect(JSON.stringify(rows)).not.toContain(canary);
  });

  it("deletes bodies once every destination has had them", async () => {
    const { purgeBodies } = await import("../domain/bodies/purge.ts");
    const { store } = gateway().deps;
    const { sink, key, workspace, id } = await setUp();
    const count = async () =>
      Number(
        (await store.pool.query("select count(*) from forwarding_bodies where workspace_id = $1", [workspace.id]))
          .rows[0].count,
      );
    const purged = async (right: (left: number) => boolean) => {
      const left = async () => {
        await purgeBodies(store);
        return await count();
      };
      await eventually(left, right);
    };
    sink.behave(() => ({ status: 503 }));
    await chat(key, "needed");
    await healthy(id, ({ attempt }) => attempt > 0);
    await purgeBodies(store);
    expect(await count()).toBe(1);
    sink.behave(null);
    await call("POST", `${path}/${id}/retry`);
    await sink.until(1);
    await caughtUp(id);
    // The cursor stands on that very call; the next one moves it beyond.
    await chat(key, "the next");
    await sink.until(2);
    await purged((left) => left <= 1);
    // While it is switched off its bodies wait with its calls; from now on means that nobody needs them.
    await change(id, { enabled: false });
    await letGo(id);
    await chat(key, "while it is off");
    await purgeBodies(store);
    expect(await count()).toBeGreaterThanOrEqual(1);
    await change(id, { enabled: true, resume: "from_now" });
    await purged((left) => left === 0);
  });

  describe("a sink in trouble", () => {
    it("that is down gets everything once it is back, each session in order", async () => {
      const { sink, key, id } = await setUp();
      sink.behave(() => ({ instead: "reset" }));
      const [first, second] = await Promise.all([embedMany(key, 15, "a"), embedMany(key, 15, "b")]);
      expect(await healthy(id, ({ attempt }) => attempt > 1)).toMatchObject({ backlog: 30 });
      sink.behave(null);
      await sink.until(30);
      const arrived = firstArrivals(sink);
      expect(arrived.filter((each) => first.includes(each))).toEqual(first);
      expect(arrived.filter((each) => second.includes(each))).toEqual(second);
    });

    it.each<[string, SinkReply]>([
      ["429 with Retry-After", { status: 429, headers: { "retry-after": "1" } }],
      ["500 for a while", { status: 500, body: "sorry" }],
      ["200, but slowly", { delayMs: 700 }],
      ["garbage instead of HTTP", { instead: "garbage" }],
      ["words that no store can hold", { status: 500, body: `bad\0thing ${"x".repeat(183)}😀` }],
      ["401 until somebody mends it", { status: 401, body: "who are you" }],
      ["a redirect to a cloud's metadata", { status: 307, headers: { location: "http://169.254.169.254/x" } }],
    ])("with %s loses nothing", async (_, reply) => {
      const { sink, key, id } = await setUp();
      let seen = 0;
      sink.behave(() => ((seen += 1) <= 2 ? reply : null));
      const ids = await embedMany(key, 5);
      await sink.until(5);
      expect(firstArrivals(sink)).toEqual(ids);
      expect(await caughtUp(id)).toMatchObject({ dead: 0, attempt: 0 });
    });

    it("that takes small requests only gets small ones", async () => {
      const { sink, key, id } = await setUp({ enabled: false });
      const ids = await embedMany(key, 12);
      sink.behave((request) => (request.ids.length > 3 ? { status: 413 } : null));
      await change(id, { enabled: true });
      await sink.until(12);
      expect(firstArrivals(sink)).toEqual(ids);
    });

    it.each([400, 500])(
      "that answers %i to one event of a batch gets the others, and that one is a dead letter",
      async (status) => {
        const { sink, key, id } = await setUp({ enabled: false });
        const ids = await embedMany(key, 9);
        const poison = ids[4] ?? "";
        sink.behave((request) => (request.ids.includes(poison) ? { status, body: "not this one" } : null));
        await change(id, { enabled: true });
        await sink.until(8);
        expect(firstArrivals(sink)).toEqual(ids.filter((each) => each !== poison));
        const letters = await eventually(
          async () => (await call("GET", `${path}/${id}/dead-letters`)).json,
          ({ total_count }) => total_count > 0,
        );
        expect(letters.data).toMatchObject([{ generation_id: poison, status, body: "not this one" }]);
        const after = await embed(key);
        await sink.until(9);
        expect(firstArrivals(sink).at(-1)).toBe(after);
      },
    );

    it.each<[string, SinkReply]>([
      ["rejects", { status: 400 }],
      ["forbids", { status: 403, body: "blocked by a filter" }],
      ["cuts off", { instead: "reset" }],
    ])(
      "that %s some events and takes others gets those others, however many stand before them",
      async (word, reply) => {
        const { sink, key, id } = await setUp({ enabled: false });
        const [first] = await embedMany(key, 1);
        const rejected = word === "rejects" ? 9 : 2;
        for (let count = 0; count < rejected; count += 1) await chat(key, "poison");
        const later = await embedMany(key, 5);
        sink.behave(({ text }) => (text.includes("poison") ? reply : null));
        await change(id, { enabled: true });
        await sink.until(6);
        expect(firstArrivals(sink)).toEqual([first, ...later]);
        expect(await healthy(id, ({ dead, backlog }) => dead === rejected && backlog === 0)).toMatchObject({
          dead: rejected,
          backlog: 0,
        });
      },
    );

    it("that rejects everything makes nobody a dead letter", async () => {
      const { sink, key, id } = await setUp({ enabled: false });
      await embedMany(key, 10);
      sink.behave(() => ({ status: 400 }));
      await change(id, { enabled: true });
      expect(await healthy(id, ({ attempt }) => attempt >= 2)).toMatchObject({ backlog: 10, dead: 0 });
      sink.behave(null);
      await call("POST", `${path}/${id}/retry`);
      await sink.until(10);
    });

    it("that hangs holds up neither another destination nor the relay", async () => {
      const { sink, key, workspace } = await setUp();
      sink.behave(() => ({ instead: "silence" }));
      const other = await startSink();
      await addDestination(workspace.id, other.url);
      const ids = await embedMany(key, 10);
      await other.until(10);
      expect(firstArrivals(other)).toEqual(ids);
      expect(sink.accepted).toEqual([]);
    });
  });

  describe("switching a destination", () => {
    it("pauses it, and resumes where it stopped", async () => {
      const { sink, key, id } = await setUp();
      const before = await embed(key);
      await sink.until(1);
      await change(id, { enabled: false });
      await letGo(id);
      const between = await embedMany(key, 3);
      const last = (await chat(key, "said while it was off")).json.id as string;
      await change(id, { enabled: true });
      await sink.until(5);
      expect(firstArrivals(sink)).toEqual([before, ...between, last]);
      expect(sink.requests.at(-1)?.text).toContain("said while it was off");
    });

    it("gives it up to others once its progress is recorded, however long that takes", async () => {
      const { sink, key, id } = await setUp();
      const { pool } = gateway().deps.store;
      const { query } = pool;
      const asked: Statement[] = [];
      const recordable = Promise.withResolvers<void>();
      const isRecord = ({ name, values }: Statement) => name === "forwarding-save" && String(values?.[0]).includes(id);
      const held = vi.spyOn(pool, "query").mockImplementation((async (...given: [Statement]) => {
        const [statement] = given;
        const isFirst = isRecord(statement) && !asked.some(isRecord);
        asked.push(statement);
        if (isFirst) await recordable.promise;
        return await Reflect.apply(query, pool, given);
      }) as never);
      const until = (one: (statement: Statement) => boolean, times: number) =>
        eventually(
          () => asked.filter(one).length,
          (count) => count >= times,
        );
      try {
        await embed(key);
        await sink.until(1);
        await until(isRecord, 1);
        const isClaim = ({ name }: Statement) => name === "forwarding-claim";
        const claims = asked.filter(isClaim).length;
        await change(id, { enabled: false });
        await until(isClaim, claims + 1);
        recordable.resolve();
        await letGo(id);
      } finally {
        recordable.resolve();
        held.mockRestore();
      }
      expect(await health(id)).toMatchObject({ status: "paused", backlog: 0 });
    });

    it("goes on with what is under way when it is renamed", async () => {
      const { sink, key, id } = await setUp();
      const other = await setUp();
      const answered = Promise.withResolvers<void>();
      sink.behave(() => ({ after: answered.promise }));
      const sent = await embed(key);
      await requested(sink);
      await change(id, { name: "renamed" });
      // The change is taken in: a claim after it has found another destination's change as well.
      await change(other.id, { enabled: false });
      await letGo(other.id);
      answered.resolve();
      await sink.until(1);
      expect(sink.requests.flatMap(({ ids }) => ids)).toEqual([sent]);
    });

    it("waits for what is under way when it is changed, and goes on with the new settings", async () => {
      const { sink, key, id } = await setUp();
      const other = await setUp();
      const answered = Promise.withResolvers<void>();
      sink.behave(() => ({ after: answered.promise }));
      const sent = await embed(key, { input: "the first text" });
      await requested(sink);
      await change(id, { privacy_mode: true });
      await change(other.id, { enabled: false });
      await letGo(other.id);
      answered.resolve();
      await sink.until(1);
      const next = await embed(key, { input: "the second text" });
      await sink.until(2);
      expect(sink.requests.map(({ ids }) => ids)).toEqual([[sent], [next]]);
      expect(sink.requests.map(({ text }) => /the (first|second) text/.exec(text)?.[1])).toEqual(["first", undefined]);
    });

    it("keeps what it forwards to while the row is locked, such as by a record of progress", async () => {
      const { pool } = gateway().deps.store;
      const { sink, key, id } = await setUp();
      await embed(key);
      await sink.until(1);
      const cursors = createCursorStore(
        async (name, text, values) => (await pool.query<{ json: string }>({ name, text, values: [...values] })).rows,
        (await ownerOf(id)) ?? "nobody",
      );
      const claim = async () => {
        const { claimed, kept } = await cursors.claim(false);
        return { renewed: claimed.some((each) => each.id === id), kept: kept.includes(id) };
      };
      // The record of the progress locks the row as well.
      expect(await eventually(claim, ({ renewed }) => renewed)).toEqual({ renewed: true, kept: false });
      if (gateway().deps.store.engine === "embedded") return;
      const recorder = await pool.connect();
      await recorder.query("begin");
      await recorder.query("select from forwarding where destination_id = $1 for update", [id]);
      try {
        expect(await claim()).toEqual({ renewed: false, kept: true });
        await pool.query("update destinations set enabled = false where id = $1", [id]);
        expect(await claim()).toEqual({ renewed: false, kept: false });
      } finally {
        await recorder.query("rollback");
        recorder.release();
      }
    });

    describe("whose row is locked", () => {
      /** Locks the row, and waits until the claims of another destination were renewed twice meanwhile. */
      const whileLocked = async (id: string, other: string, work: () => Promise<void>) => {
        const { pool } = gateway().deps.store;
        const recorder = await pool.connect();
        await recorder.query("begin; set local idle_in_transaction_session_timeout = 0");
        await recorder.query("select from forwarding where destination_id = $1 for update", [id]);
        try {
          await work();
          await renewedTwice(other);
        } finally {
          recorder.release(true);
        }
      };

      /** A destination that has a request under way, and answers it when told to. */
      const answering = async () => {
        const { sink, key, id } = await setUp();
        const { id: other } = await setUp();
        const answered = Promise.withResolvers<void>();
        sink.behave(() => ({ after: answered.promise }));
        const sent = await embed(key);
        await requested(sink);
        return { sink, key, id, other, sent, answer: answered.resolve };
      };

      it("goes on with what is under way, and sends nothing again", async () => {
        if (gateway().deps.store.engine === "embedded") return;
        const { sink, key, id, other, sent, answer } = await answering();
        await whileLocked(id, other, async () => {});
        answer();
        const next = await embed(key);
        await sink.until(2);
        expect(sink.requests.flatMap(({ ids }) => ids)).toEqual([sent, next]);
      });

      it("keeps no other from being claimed while it is given up, and gives up nothing unrecorded", async () => {
        if (gateway().deps.store.engine === "embedded") return;
        const { sink, id, other, answer } = await answering();
        await whileLocked(id, other, async () => {
          answer();
          await sink.until(1);
          await gateway().deps.store.pool.query("update destinations set enabled = false where id = $1", [id]);
        });
        await letGo(id);
        expect(await health(id)).toMatchObject({ status: "paused", backlog: 0 });
      });
    });

    it("or from now on, as asked; what was passed over says so", async () => {
      const { sink, key, id } = await setUp();
      await embed(key);
      await sink.until(1);
      await change(id, { enabled: false });
      await letGo(id);
      const [passed] = await embedMany(key, 2);
      await change(id, { enabled: true, resume: "from_now" });
      const after = await embed(key);
      await sink.until(2);
      expect(firstArrivals(sink).at(-1)).toBe(after);
      const { json } = await call("GET", `/observability/delivery-outcome?generation_id=${passed}`);
      expect(json.data.destinations).toMatchObject([{ outcome: "disabled" }]);
    });

    it("stops it when broadcasting is off in its workspace", async () => {
      const { sink, key, workspace, id } = await setUp();
      const body = { is_observability_broadcast_enabled: false };
      expect((await call("PATCH", `/workspaces/${workspace.id}`, { body })).status).toBe(200);
      await change(id, { name: "renamed" });
      await letGo(id);
      await embed(key);
      expect(await healthy(id, ({ status }) => status === "paused")).toMatchObject({ backlog: 1 });
      expect(sink.accepted).toEqual([]);
    });
  });

  it("says once of a destination whose settings cannot be opened that it fails, and why", async () => {
    const { pool } = gateway().deps.store;
    const { key, id } = await setUp();
    const config = (await pool.query("select config from destinations where id = $1", [id])).rows[0]?.config as string;
    const write = (text: string) =>
      pool.query("update destinations set config = $2, version = version + 1 where id = $1", [id, text]);
    await write("cut off");
    const fails = await healthy(id, ({ failing_since }) => failing_since !== null);
    expect(fails.last_error?.message).toBe("its stored settings cannot be used: they are damaged");
    expect(fails.status).toBe("failing");
    const claims = new Set<number>();
    await eventually(
      async () => {
        const text = "select owned_until from forwarding where destination_id = $1";
        const { rows } = await pool.query<{ owned_until: Date }>(text, [id]);
        return claims.add(rows[0]?.owned_until.getTime() ?? 0).size;
      },
      (count) => count >= 3,
    );
    const lines = gateway()
      .log()
      .split("\n")
      .filter((line) => line.includes("a destination cannot be forwarded to") && line.includes(id));
    expect(lines).toHaveLength(1);
    const readiness = async () => await (await fetch(`${gateway().url}/readyz`)).json();
    await expect.poll(readiness).toMatchObject({ reasons: ["destination_failing"] });

    await write(config);
    await embed(key);
    const mended = await healthy(id, ({ failing_since, backlog }) => failing_since === null && backlog === 0);
    expect(mended.status).toBe("delivering");
  });

  it("goes on where it was when the store was restored from another PostgreSQL", async () => {
    const { store } = gateway().deps;
    const { sink, key, id, workspace } = await setUp();
    const sent = await embed(key);
    await sink.until(1);
    await caughtUp(id);
    await change(id, { enabled: false });
    await letGo(id);
    const waiting = await embedMany(key, 3);
    // What a dump brings along: numbers that this server has not reached.
    const far = "9000000000000";
    const shift = async (table: string, column: string, where: string, value: string) => {
      const shifted = `${column} = (${column}::text::numeric + ${far})::text::xid8`;
      await store.pool.query(`update ${table} set ${shifted} where ${where} = $1`, [value]);
    };
    await shift("ledger", "xact", "workspace_id", workspace.id);
    await shift("forwarding", "cursor_xact", "workspace_id", workspace.id);
    await shift("forwarding_settings", "xact", "destination_id", id);
    expect(await repairRestoredCursors(store)).toBe(true);
    expect(await repairRestoredCursors(store)).toBe(false);
    const after = await embed(key);
    await change(id, { enabled: true });
    await sink.until(5);
    expect(firstArrivals(sink)).toEqual([sent, ...waiting, after]);
  });

  it("waits for what runs in its own database, and for nothing in another one of the server", async () => {
    const { store } = gateway().deps;
    if (store.engine === "embedded") return;
    const { sink, key, id } = await setUp();
    const begin = "begin; set local idle_in_transaction_session_timeout = 0; select pg_current_xact_id()";
    const other = await createDatabase(inject("postgresUrl"));
    const stranger = new pg.Client(other.url);
    await stranger.connect();
    await stranger.query(begin);
    const first = await embed(key);
    await sink.until(1);
    const own = await store.pool.connect();
    await own.query(begin);
    const second = await embed(key);
    await renewedTwice(id);
    expect(sink.accepted).toEqual([first]);
    await own.query("rollback");
    own.release();
    await sink.until(2);
    expect(sink.accepted).toEqual([first, second]);
    await stranger.end();
    await other.drop();
  });

  it("samples whole sessions: exactly the calls of those that are kept arrive", async () => {
    const { sink, key, id } = await setUp({ sampling_rate: 0.5 });
    const kept: string[] = [];
    let dropped = 0;
    for (let index = 0; index < 12; index += 1) {
      const sessionId = `session ${index}`;
      const ids = await embedMany(key, 2, sessionId);
      if (keeps(`session:${sessionId}`, 0.5)) kept.push(...ids);
      else dropped += ids.length;
    }
    expect(kept.length).toBeGreaterThan(0);
    expect(dropped).toBeGreaterThan(0);
    const { hours } = await healthy(
      id,
      ({ backlog, hours }) => backlog === 0 && totalOf(hours, "sampled_out") === dropped,
    );
    expect(totalOf(hours, "sampled_out")).toBe(dropped);
    expect(totalOf(hours, "delivered")).toBe(kept.length);
    expect(firstArrivals(sink).toSorted()).toEqual(kept.toSorted());
  });
});

/** One of a destination's counts, over the hours that its health shows. */
const totalOf = (hours: DestinationHealth["hours"], count: "delivered" | "sampled_out") =>
  hours.reduce((sum, hour) => sum + hour[count], 0);

describeGateway(
  "forwarding where private networks are denied",
  (gateway) => {
    it("never connects to a name that resolves into one, however often it is tried", async () => {
      const sink = await startFakeSink();
      try {
        const config = { url: `http://localhost:${sink.port}/in` };
        const body = { name: "Sink", type: "webhook", config };
        const made = await gateway().call("POST", path, { body });
        expect(made.status, made.text).toBe(201);
        const key = (await makeKey(gateway())).key;
        await gateway().call("POST", "/embeddings", { key, body: { model: "gatehouse/lexical", input: "hello" } });
        const { last_error } = await eventually(
          async () => (await gateway().call("GET", `${path}/${made.json.data.id}/health`)).json.data,
          ({ attempt }) => attempt >= 2,
        );
        expect(last_error.message).toContain("private network");
        expect(sink.requests).toEqual([]);
      } finally {
        await sink.close();
      }
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "deny" } },
);
