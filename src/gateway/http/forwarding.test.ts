import { afterEach, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { type FakeSink, startFakeSink } from "../testing/fake-sink.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { reservedPort } from "../testing/port.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const path = "/observability/destinations";
const secret = "canary-secret-0123456789";

describeGateway("what the console asks about delivery", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;
  withVendor(gateway);
  const sinks: FakeSink[] = [];
  afterEach(async () => {
    await Promise.all(sinks.splice(0).map((each) => each.close()));
  });
  const setUp = async (more: Record<string, unknown> = {}) => {
    const sink = await startFakeSink();
    sinks.push(sink);
    const workspace = await makeWorkspace(gateway());
    const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id, name: "the key" });
    const config = { url: `${sink.url}/v1/traces`, headers: { "X-Token": secret } };
    const made = await call("POST", path, {
      body: { name: "Sink", type: "webhook", config, workspace_id: workspace.id, ...more },
    });
    expect(made.status, made.text).toBe(201);
    return { sink, workspace, key, hash: record.hash, config, id: made.json.data.id as string };
  };
  const ask = async (verb: string, body: object) => (await call("POST", `${path}/${verb}`, { body })).json.data;
  const healthOf = async (id: string) => await read(`${path}/${id}/health`);
  const chat = async (key: string, content: string, body: Record<string, unknown> = {}) => {
    const messages = [{ role: "user", content }];
    const answer = await call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages, ...body } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.id as string;
  };
  const one = async (text: string, values: unknown[]) => (await gateway().deps.store.pool.query(text, values)).rows[0];
  /** Waits until the destination is forwarded to by these of its settings. */
  const takenUp = (id: string, settings: object) => {
    const query = "select from forwarding_settings where destination_id = $1 and settings @> $2::jsonb";
    return eventually(
      () => one(query, [id, JSON.stringify(settings)]),
      (row) => row !== undefined,
    );
  };
  /** Waits until nobody forwards to the destination. */
  const letGo = (id: string) =>
    eventually(
      () => one("select owner from forwarding where destination_id = $1", [id]),
      ({ owner }) => owner === null,
    );
  const outcomeOf = async (generation: string) => {
    const answer = await call("GET", `/observability/delivery-outcome?generation_id=${generation}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json.data.destinations[0];
  };
  const becomes = (generation: string, wanted: string) =>
    eventually(
      () => outcomeOf(generation),
      ({ outcome }) => outcome === wanted,
    );

  describe("testDestination", () => {
    it("200: sends a marked test with the stored secret, and shows the answer without it", async () => {
      const { sink, id } = await setUp();
      sink.behave(({ headers }) => ({ status: 200, body: `hello ${String(headers["x-token"])}` }));
      const config = { url: `${sink.url}/v1/traces` };
      const data = await ask("test", { id, type: "webhook", config });
      expect(data).toMatchObject({ passed: true, status: 200, body: "hello [removed]" });
      expect(sink.requests[0]?.headers).toMatchObject({ "x-test-connection": "true", "x-token": secret });
      expect(JSON.stringify(data)).not.toContain(secret);
    });

    it("200: shows nothing of a secret to a sink's echo, however it was written into the request", async () => {
      const sink = await startFakeSink();
      sinks.push(sink);
      sink.behave(({ headers }) => ({ status: 500, body: JSON.stringify(headers) }));
      for (const [type, more] of [
        ["langfuse", { publicKey: "pk-lf-0001", secretKey: secret }],
        ["weave", { apiKey: secret, entity: "we", project: "it" }],
        ["grafana", { apiKey: secret, instanceId: "12345" }],
      ] as const) {
        const config = { baseUrl: sink.url, ...more };
        const data = await ask("test", { type, config });
        expect(data).toMatchObject({ passed: false, status: 500 });
        const shown = JSON.stringify(data);
        for (const [, word = ""] of shown.matchAll(/([A-Za-z0-9+/]{12,}=*)/g))
          expect(Buffer.from(word, "base64").toString("latin1")).not.toContain("canary");
        expect(shown).not.toContain(secret);
      }
    });

    it("200: says how far it came where nothing listens, and where a cloud's metadata would", async () => {
      const at = (url: string) => ask("test", { type: "webhook", config: { url } });
      // Nobody else begins to listen there meanwhile.
      expect(await at(`http://127.0.0.1:${await reservedPort()}/in`)).toMatchObject({ passed: false, status: null });
      const metadata = await at("http://169.254.169.254/latest");
      expect(metadata.passed).toBe(false);
      expect(metadata.steps).toEqual([{ step: "address", ok: false, detail: expect.stringContaining("metadata") }]);
    });

    it("200: a webhook that refuses the empty test passes; another kind does not", async () => {
      const { sink } = await setUp();
      sink.behave(() => ({ status: 400, body: "empty" }));
      const test = async (type: string, config: object) => (await ask("test", { type, config })).passed;
      expect(await test("webhook", { url: sink.url })).toBe(true);
      expect(await test("otel-collector", { endpoint: sink.url })).toBe(false);
    });

    it("400: kept secrets do not travel to another host", async () => {
      const { id } = await setUp();
      const body = { id, type: "webhook", config: { url: "https://elsewhere.example.com" } };
      expectIssues(await call("POST", `${path}/test`, { body }), "config.headers.X-Token");
    });
  });

  describe("previewDestination", () => {
    it("200: shows the exact payload of the latest call, secrets masked, and what was removed by which setting", async () => {
      // Switched off, it has not had the calls, whose bodies are kept until it has.
      const { workspace, key, config } = await setUp({ enabled: false });
      const id = await chat(key, "a prompt to preview");
      const settings = { type: "webhook", config, workspace_id: workspace.id };
      const open = await ask("preview", { ...settings, broadcast_generation_identity: true });
      expect(open).toMatchObject({ generation_id: id, real: true, outcome: "forwarded" });
      expect(open.requests[0].body).toContain("a prompt to preview");
      expect(open.requests[0].body).toContain("the key");
      expect(JSON.stringify(open)).not.toContain(secret);
      await chat(key, "a much longer prompt, so that the mean of both lies between them");
      const both = await ask("preview", { ...settings, broadcast_generation_identity: true, generation_id: id });
      expect(both.size.calls).toBe(2);
      expect(both.size.mean_bytes).toBeGreaterThan(Buffer.byteLength(both.requests[0].body));
      const closed = await ask("preview", { ...settings, privacy_mode: true });
      expect(closed.requests[0].body).not.toContain("a prompt to preview");
      expect(closed.requests[0].body).not.toContain("the key");
      expect(closed.removed).toEqual(
        expect.arrayContaining([
          { member: "input", bytes: expect.any(Number), by: "privacy_mode" },
          { member: "keyName", bytes: '"the key"'.length, by: "broadcast_generation_identity" },
        ]),
      );
    });

    it("200: shows made-up bodies, and says so, where those of the call are not kept and bodies are to leave", async () => {
      const { workspace, key, config } = await setUp({ enabled: false, privacy_mode: true });
      const id = await chat(key, "a prompt that nobody keeps");
      const settings = { type: "webhook", config, workspace_id: workspace.id };
      const open = await ask("preview", { ...settings, privacy_mode: false });
      expect(open).toMatchObject({ generation_id: id, real: true, example_bodies: true, size: null });
      expect(open.requests[0].body).toContain("What does a gatehouse do?");
      expect(open.requests[0].body).not.toContain("nobody keeps");
      const closed = await ask("preview", { ...settings, privacy_mode: true });
      expect(closed).toMatchObject({ example_bodies: false, size: { calls: 1 } });
    });

    it("400 and 404: names a rule that does not compile, and a call that is not there", async () => {
      const { config } = await setUp();
      const rules = { groups: [{ rules: [{ field: "model", operator: "regex", value: "(" }] }] };
      const wrong = await call("POST", `${path}/preview`, { body: { type: "webhook", config, filter_rules: rules } });
      expectIssues(wrong, "filter_rules.groups.0.rules.0.value");
      const body = { type: "webhook", config, generation_id: "gen-1" };
      expectError(await call("POST", `${path}/preview`, { body }), "not_found", /generation/);
    });
  });

  describe("tryDestination and estimateDestination", () => {
    it("200: say which calls the rules let through, and how many a day that makes", async () => {
      const { workspace, key } = await setUp({ enabled: false });
      const kept = await chat(key, "one");
      const other = await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "two" } });
      const rules = { groups: [{ rules: [{ field: "model", operator: "ends_with", value: "/talk" }] }] };
      const body = { workspace_id: workspace.id, filter_rules: rules, sampling_rate: 1 };
      const tried = await ask("try", body);
      expect(tried.map(({ generation_id, outcome, rule }: never) => ({ generation_id, outcome, rule }))).toEqual(
        expect.arrayContaining([
          { generation_id: kept, outcome: "forwarded", rule: null },
          { generation_id: other.json.id, outcome: "filtered", rule: { group: 0, rule: 0 } },
        ]),
      );
      const data = await ask("estimate", body);
      const today = { calls: 2, in_allowlist: 2, pass_filters: 1, sampled: 1, examined: 2 };
      const sessions = { exact: true, passing_sessions: 1, sampled_sessions: 1, calls_per_session: 1 };
      expect(data).toEqual({ ...today, ...sessions, passing_per_day: null, per_day: null });
    });

    it("200: counts the calls of sampled sessions, as the pipeline chooses them, and never takes a share", async () => {
      const { workspace, key } = await setUp({ enabled: false });
      for (const session of ["one", "two", "three"])
        for (const content of ["a", "b", "c", "d"]) await chat(key, content, { session_id: session });
      const body = { workspace_id: workspace.id, filter_rules: null };
      for (const rate of [0.0001, 0.2, 0.5, 0.9, 1]) {
        const settings = { ...body, sampling_rate: rate };
        const tried = await ask("try", settings);
        const sampled = tried.filter(({ outcome }: { outcome: string }) => outcome === "forwarded").length;
        const data = await ask("estimate", settings);
        expect(sampled % 4).toBe(0);
        expect(data).toMatchObject({ exact: true, pass_filters: 12, sampled, sampled_sessions: sampled / 4 });
        expect(data).toMatchObject({ passing_sessions: 3, calls_per_session: 4 });
      }
    });

    it("200: tells the mean of a day by the week, from a day of history on", async () => {
      // History begins with a full hour, so that two days of it are two days.
      gateway().clock.set(new Date(Math.ceil(gateway().clock.now().getTime() / 3_600_000) * 3_600_000));
      const { workspace, key, hash } = await setUp({ enabled: false });
      const { key: other } = await makeKey(gateway(), { workspace_id: workspace.id });
      for (const one of [key, key, key, other]) await chat(one, "one");
      const rules = { groups: [{ rules: [{ field: "model", operator: "ends_with", value: "/talk" }] }] };
      const body = { workspace_id: workspace.id, filter_rules: rules, sampling_rate: 0.5 };
      gateway().clock.advance(2 * 86_400_000);
      await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "two" } });
      const estimate = (more: object) => ask("estimate", { ...body, ...more });
      // five calls in two days, of which four pass the rules; the last day had one, which does not
      const today = { calls: 1, in_allowlist: 1, pass_filters: 0, sampled: 0, exact: true };
      const sessions = { passing_sessions: 0, sampled_sessions: 0, calls_per_session: 1 };
      expect(await estimate({})).toEqual({ ...today, ...sessions, examined: 5, passing_per_day: 2, per_day: 1 });
      expect(await estimate({ api_key_hashes: [hash] })).toMatchObject({ examined: 4, passing_per_day: 1.5 });
      // what is older than a week counts no more
      gateway().clock.advance(6 * 86_400_000);
      expect(await estimate({})).toMatchObject({ calls: 0, examined: 1, passing_per_day: 0 });
    });
  });

  describe("getDeliveryOutcome and retryDestination", () => {
    it("200: tells sent, filtered, not in the allowlist, sampled out and disabled apart", async () => {
      const { sink, workspace, key, hash, id } = await setUp();
      const change = async (body: object) => expect((await call("PATCH", `${path}/${id}`, { body })).status).toBe(200);
      const sent = await chat(key, "sent");
      await sink.until(1);
      await becomes(sent, "sent");

      await change({ filter_rules: { groups: [{ rules: [{ field: "user_id", operator: "equals", value: "me" }] }] } });
      await takenUp(id, { filterRules: { groups: [{ rules: [{ value: "me" }] }] } });
      const filtered = await chat(key, "filtered", { user: "you" });
      const mine = { field: "user_id", operator: "equals", value: "me" };
      expect(await outcomeOf(filtered)).toMatchObject({
        outcome: "filtered",
        rule: { group: 0, rule: 0 },
        let_through: {
          changes: ["Rule 1 of group 1: or user id is you"],
          filter_rules: { groups: [{ logic: "or", rules: [mine, { ...mine, value: "you" }] }] },
        },
      });
      await eventually(
        () => healthOf(id),
        ({ hours }) => hours.at(-1)?.filtered === 1,
      );

      const { record: other } = await makeKey(gateway(), { workspace_id: workspace.id });
      await change({ filter_rules: null, api_key_hashes: [other.hash] });
      await takenUp(id, { apiKeyHashes: [other.hash] });
      const stranger = await chat(key, "not mine");
      expect(await outcomeOf(stranger)).toMatchObject({
        outcome: "not_in_allowlist",
        let_through: { changes: ["Add the key the key"], add_api_key_hash: hash },
      });
      await change({ api_key_hashes: null, sampling_rate: 0.0001 });
      await takenUp(id, { samplingRate: 0.0001 });
      const rare = await chat(key, "rare", { session_id: "a session" });
      const { let_through: rate } = await outcomeOf(rare);
      // the rate is exact: it takes the session, and a millionth less does not
      const stored = { id, type: "webhook", config: {}, generation_id: rare };
      const previewed = async (sampling_rate: number) => (await ask("preview", { ...stored, sampling_rate })).outcome;
      expect(await previewed(rate.sampling_rate)).toBe("forwarded");
      expect(await previewed(rate.sampling_rate - 0.000001)).toBe("sampled_out");
      expect(await outcomeOf(rare)).toMatchObject({ outcome: "sampled_out" });
      await change({ sampling_rate: 1, enabled: false });
      await letGo(id);
      expect(await outcomeOf(await chat(key, "late"))).toMatchObject({ outcome: "disabled" });
      // What was decided before stays as it was decided.
      expect(await outcomeOf(filtered)).toMatchObject({
        outcome: "filtered",
        rule: { group: 0, rule: 0 },
        let_through: null,
        explanation: expect.stringContaining("would let it through now"),
      });
    });

    it("200: tells that a pattern over the prompt stops a call, and what else would", async () => {
      const rule = { field: "input", operator: "regex", value: "nothing like it" };
      const { key, id } = await setUp({ filter_rules: { groups: [{ rules: [rule] }] } });
      const stopped = await chat(key, "stopped");
      const filtered = { outcome: "filtered", rule: { group: 0, rule: 0 }, let_through: null };
      expect(await outcomeOf(stopped)).toMatchObject(filtered);
      await eventually(
        () => healthOf(id),
        ({ hours }) => hours.at(-1)?.filtered === 1,
      );
      const rules = { groups: [{ rules: [{ ...rule, value: "sto(p+)ed" }] }] };
      const change = await call("PATCH", `${path}/${id}`, { body: { filter_rules: rules, sampling_rate: 0.0001 } });
      expect(change.status).toBe(200);
      expect(await outcomeOf(stopped)).toMatchObject({
        outcome: "filtered",
        let_through: { changes: [expect.stringMatching(/^Send .* of sessions instead of 0.01%$/)] },
      });
    });

    it("200: tells what an unavailable destination says, and 404 for an unknown call", async () => {
      const { sink, key, id } = await setUp();
      sink.behave(() => ({ status: 503, body: `down, ${secret}` }));
      const waiting = await chat(key, "waiting");
      const failed = await becomes(waiting, "failed");
      expect(failed.error).toContain("503");
      expect(failed.attempt).toBeGreaterThan(0);
      const health = await healthOf(id);
      expect(health).toMatchObject({ status: "degraded", backlog: 1, dead: 0 });
      expect(health.last_error).toMatchObject({ status: 503, body: "down, [removed]", request: { method: "POST" } });
      expect(health.top_errors).toEqual([
        { message: expect.stringContaining("503"), count: health.attempt, last_at: expect.any(String) },
      ]);
      expect(JSON.stringify(health)).not.toContain(secret);
      sink.behave(null);
      expect((await call("POST", `${path}/${id}/retry`)).json.data).toEqual({ retried: true });
      await sink.until(1);
      // What failed a moment ago and was delivered since is no trouble any more.
      const recovered = await eventually(
        () => healthOf(id),
        ({ backlog }) => backlog === 0,
      );
      expect(recovered).toMatchObject({ status: "delivering", failing_since: null });
      expectError(await call("GET", "/observability/delivery-outcome?generation_id=gen-1"), "not_found", /generation/);
    });
  });

  describe("getDestinationHealth and listDestinationHealth", () => {
    it("200: counts by hour, and say never sent, delivering and paused", async () => {
      const { sink, workspace, key, id } = await setUp();
      const health = () => healthOf(id);
      expect(await health()).toMatchObject({ status: "never_sent", backlog: 0, lag_ms: 0, hours: [] });
      await chat(key, "one");
      await sink.until(1);
      const after = await eventually(health, ({ status }) => status === "delivering");
      expect(after.hours).toEqual([expect.objectContaining({ delivered: 1, failed: 0, dead: 0 })]);
      await call("PATCH", `${path}/${id}`, { body: { enabled: false } });
      const list = await read(`/observability/health?workspace_id=${workspace.id}`);
      expect(list).toEqual([expect.objectContaining({ destination_id: id, status: "paused" })]);
    });
  });

  describe("listDeadLetters, replayDeadLetters and replayDestination", () => {
    it("200: keeps what the sink never takes, shows it, and delivers it when it is replayed", async () => {
      const { sink, key, id } = await setUp();
      sink.behave(({ text }) => (text.includes("poison") ? { status: 400, body: `no: ${secret}` } : null));
      const poison = await chat(key, "poison");
      const good = [await chat(key, "good 1"), await chat(key, "good 2")];
      await sink.until(2);
      const dead = await eventually(
        async () => (await call("GET", `${path}/${id}/dead-letters`)).json,
        ({ total_count }) => total_count === 1,
      );
      expect(dead.data[0]).toMatchObject({ generation_id: poison, status: 400, body: "no: [removed]" });
      expect(dead.data[0].event.input).toEqual([{ role: "user", content: "poison" }]);
      expect(await outcomeOf(poison)).toMatchObject({ outcome: "dead" });
      expect(new Set(sink.accepted)).toEqual(new Set(good));

      sink.behave(null);
      const replayed = await call("POST", `${path}/${id}/dead-letters/replay`, { body: { generation_ids: [poison] } });
      expect(replayed.json.data).toEqual({ replayed: 1 });
      await sink.until(3);
      await becomes(poison, "sent");
    });

    it("200: marks every dead letter for its retry, however many there are", async () => {
      const { id, workspace } = await setUp({ enabled: false });
      await letGo(id);
      await one(
        `insert into dead_letters (destination_id, id, workspace_id, created_at, died_at, attempts, answer)
         select $1, (array['gen-A', 'gen-b', 'gen_'])[i % 3 + 1] || i, $2, $3, $3, 1, '{"status":400,"body":null,"message":"no"}'
         from generate_series(1, 1203) as i`,
        [id, workspace.id, gateway().clock.now()],
      );
      const marked = async () =>
        (await one("select count(*)::int as n from dead_letters where destination_id = $1 and replay", [id])).n;
      const url = `${path}/${id}/dead-letters/replay`;
      expect((await call("POST", url, { body: {} })).json.data).toEqual({ replayed: 1_203 });
      expect(await marked()).toBe(1_203);
      const [audited] = await read(`/audit?target_id=${id}&action=replayDeadLetters`);
      expect(audited.after).toEqual({ dead_letters: 1_203 });
      const page = (await call("GET", `${path}/${id}/dead-letters?limit=2&offset=1201`)).json;
      expect([page.total_count, page.data.length]).toEqual([1_203, 2]);
    });

    it("200: passes over nothing that still waits, however late the instant is", async () => {
      const { sink, key, id } = await setUp();
      sink.behave(() => ({ status: 503 }));
      const ids = [await chat(key, "one"), await chat(key, "two")];
      gateway().clock.advance(1_000);
      const from = gateway().clock.now().toISOString();
      gateway().clock.advance(1_000);
      ids.push(await chat(key, "three"));
      expect((await call("POST", `${path}/${id}/replay`, { body: { from } })).json.data).toEqual({ backlog: 3 });
      sink.behave(null);
      await call("POST", `${path}/${id}/retry`);
      await sink.until(3);
      expect(new Set(sink.accepted)).toEqual(new Set(ids));
    });

    it("200: sends everything again from an instant on", async () => {
      const { sink, key, id } = await setUp();
      const before = gateway().clock.now();
      const ids = [await chat(key, "one"), await chat(key, "two")];
      await sink.until(2);
      await becomes(ids[1] ?? "", "sent");
      const first = sink.accepted.length;
      const answer = await call("POST", `${path}/${id}/replay`, { body: { from: before.toISOString() } });
      expect(answer.json.data).toEqual({ backlog: 2 });
      await eventually(
        async () => sink.accepted.length,
        (count) => count >= first + 2,
      );
      expect(sink.accepted.slice(first)).toEqual(ids);
    });
  });
});
