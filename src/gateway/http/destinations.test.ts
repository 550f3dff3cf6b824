import { randomUUID } from "node:crypto";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { configMembers, DestinationType } from "#contract/destination-kinds.ts";
import type { UpdateDestinationBody } from "#contract/destinations.ts";
import * as destinations from "../domain/destinations/destinations.ts";
import { up as shortenAddresses } from "../storage/migrations/051-addresses-with-tokens.ts";
import { makeContext } from "../testing/context.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";

const path = "/observability/destinations";
const secretKey = "sk-lf-canary-0123456789abcdef";
const langfuse = { name: "Langfuse", type: "langfuse", config: { secretKey, publicKey: "pk-lf-1" } };

/** What a kind's required members may hold. */
const sample: Record<string, string> = {
  endpoint: "https://collector.example.com/v1/traces",
  url: "https://hooks.example.com/in",
  host: "https://clickhouse.example.com:8443",
  otlpEndpoint: "https://o1.ingest.sentry.io/api/2/otlp",
  dsn: "https://abcdef0123456789@o1.ingest.sentry.io/2",
  account: "myorg-account1",
};

function requiredConfig(type: DestinationType): Record<string, string> {
  return Object.fromEntries(
    Object.entries(configMembers(type))
      .filter(([, member]) => member.required)
      .map(([name]) => [name, sample[name] ?? `${name}-0123456789abcdef`]),
  );
}

describeGateway("observability destinations over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;
  /** Each in a workspace of its own, so that the most of one kind is not met by accident. */
  const make = async (body: Record<string, unknown> = {}) => {
    const workspace = await makeWorkspace(gateway());
    const answer = await call("POST", path, { body: { ...langfuse, workspace_id: workspace.id, ...body } });
    expect(answer.status, answer.text).toBe(201);
    return answer.json.data;
  };

  const rowOf = (id: string) =>
    gateway()
      .deps.store.db.selectFrom("destinations")
      .select(["id", "config"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

  describe("createDestination", () => {
    it("201: answers with the record, defaults filled in and secrets masked", async () => {
      const data = await make();
      expect(data).toMatchObject({
        name: "Langfuse",
        type: "langfuse",
        enabled: true,
        config: { secretKey: "sk-l...cdef", publicKey: "...", baseUrl: "https://us.cloud.langfuse.com" },
        api_key_hashes: null,
        filter_rules: null,
        privacy_mode: false,
        sampling_rate: 1,
        broadcast_generation_cost: false,
        regions: ["global"],
      });
      expect(data.updated_at).toBe(data.created_at);
    });

    it.each<[wrong: object, ...paths: string[]]>([
      [{ config: {} }, "config.secretKey", "config.publicKey"],
      [{ config: { ...langfuse.config, publicKey: 7 } }, "config.publicKey"],
      [{ config: { ...langfuse.config, headers: { "X-Snow": "snow☃" } } }, "config.headers.X-Snow"],
      [
        { type: "s3", config: { bucketName: "a#", accessKeyId: "k", secretAccessKey: "s", region: "evil.example/x" } },
        "config.bucketName",
        "config.region",
      ],
      [{ api_key_hashes: ["zz", "0".repeat(64)] }, "api_key_hashes.0", "api_key_hashes.1"],
      [
        { filter_rules: { groups: [{ rules: [{ field: "model", operator: "regex", value: "(" }] }] } },
        "filter_rules.groups.0.rules.0.value",
      ],
      [{ workspace_id: randomUUID() }, "workspace_id"],
    ])("400: %j, which the body's schema takes", async (wrong, ...paths) => {
      expectIssues(await call("POST", path, { body: { ...langfuse, ...wrong } }), ...paths);
      expect((await call("GET", path)).json.total_count).toBe(0);
    });

    it("409: the sixth of one kind, also when made at once", async () => {
      const workspace = await makeWorkspace(gateway());
      const body = { ...langfuse, workspace_id: workspace.id };
      const answers = await Promise.all(Array.from({ length: 8 }, () => call("POST", path, { body })));
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
      expect(
        (await call("POST", path, { body: { ...body, type: "webhook", config: { url: sample["url"] } } })).status,
      ).toBe(201);
    });
  });

  describe("updateDestination", () => {
    it("200: the specification's example, whose keys are masked, changes the address and keeps both keys", async () => {
      const keys = { secretKey: "sk-lf-0123456789AbCd", publicKey: "pk-lf-0123456789EfGh" };
      const made = await make({ config: { ...keys, baseUrl: "https://us.cloud.langfuse.com/old" } });
      expect(made.config).toMatchObject({ secretKey: "sk-l...AbCd", publicKey: "pk-l...EfGh" });
      const config = { baseUrl: "https://us.cloud.langfuse.com", publicKey: "pk-l...EfGh", secretKey: "sk-l...AbCd" };
      const answer = await call("PATCH", `${path}/${made.id}`, { body: { config } });
      expect(answer.json.data.config).toEqual(config);
      expect(destinations.openConfig(gateway().deps, await rowOf(made.id))).toEqual({
        ...keys,
        baseUrl: config.baseUrl,
      });
    });

    it("200: a key that was deleted stays in the list, and another one can be added beside it", async () => {
      const workspace_id = (await makeWorkspace(gateway())).id;
      const [gone, next] = [await makeKey(gateway(), { workspace_id }), await makeKey(gateway(), { workspace_id })];
      const made = await make({ workspace_id, api_key_hashes: [gone.record.hash] });
      await call("DELETE", `/keys/${gone.record.hash}`);
      const body = { api_key_hashes: [gone.record.hash, next.record.hash] };
      const answer = await call("PATCH", `${path}/${made.id}`, { body });
      expect(answer.json.data.api_key_hashes).toEqual(body.api_key_hashes);
    });

    it.each<[body: object, ...paths: string[]]>([
      [{ config: { baseUrl: "https://thief.example" } }, "config.secretKey", "config.publicKey"],
      [{ api_key_hashes: ["zz"] }, "api_key_hashes.0"],
      [{ api_key_hashes: ["0".repeat(64)] }, "api_key_hashes.0"],
    ])("400: %j changes nothing", async (body, ...paths) => {
      const made = await make();
      expectIssues(await call("PATCH", `${path}/${made.id}`, { body: { name: "lost", ...body } }), ...paths);
      expect(await read(`${path}/${made.id}`)).toEqual(made);
    });
  });

  it("opens the settings of one once for a PATCH, and seals them only where they change", async () => {
    const { id } = await make();
    const counts = { open: 0, seal: 0 };
    const ctx = makeContext(gateway().deps);
    const secrets = {
      ...ctx.secrets,
      open: (text: string, aad: string) => ((counts.open += 1), ctx.secrets.open(text, aad)),
      seal: (text: string, aad: string) => ((counts.seal += 1), ctx.secrets.seal(text, aad)),
    };
    const update = (body: UpdateDestinationBody) => destinations.update({ ...ctx, secrets }, id, body, null);
    await update({ name: "renamed", config: { secretKey } });
    expect(counts).toEqual({ open: 1, seal: 0 });
    await update({ config: { secretKey: `${secretKey}-2` } });
    expect(counts).toEqual({ open: 2, seal: 1 });
  });

  it("200: one whose settings cannot be opened is listed, read, renamed, entered again and deleted", async () => {
    const spoil = async () => {
      const made = await make();
      await gateway()
        .deps.store.db.updateTable("destinations")
        .set({ config: "v1:lost:AAAA" })
        .where("id", "=", made.id)
        .execute();
      return { id: made.id as string, workspaceId: made.workspace_id as string };
    };
    const { id, workspaceId } = await spoil();
    expect(await read(`${path}?workspace_id=${workspaceId}`)).toMatchObject([{ id, config: {} }]);
    expect((await read(`${path}/${id}`)).config).toEqual({});
    const problem =
      "The stored settings cannot be opened: they were encrypted with the secret key lost, which this gateway was not given";
    const health = await call("GET", `${path}/${id}/health`);
    expect(health.json.data).toMatchObject({ status: "failing", config_problem: problem });
    const tested = await call("POST", `${path}/test`, { body: { id, type: "langfuse", config: {} } });
    expect([tested.status, tested.json.error.message]).toEqual([400, `${problem}. Enter all of them again`]);
    expect((await call("PATCH", `${path}/${id}`, { body: { name: "Renamed" } })).json.data.name).toBe("Renamed");
    expectIssues(await call("PATCH", `${path}/${id}`, { body: { config: { publicKey: "pk" } } }), "config.secretKey");
    const entered = await call("PATCH", `${path}/${id}`, { body: { config: langfuse.config } });
    expect(entered.json.data.config).toMatchObject({ secretKey: "sk-l...cdef" });
    expect(destinations.openConfig(gateway().deps, await rowOf(id))).toMatchObject({ secretKey });
    expect((await call("DELETE", `${path}/${(await spoil()).id}`)).status).toBe(200);
  });

  it("deleteDestination: 200, and its secrets are gone", async () => {
    const { id } = await make();
    expect((await call("DELETE", `${path}/${id}`)).json).toEqual({ deleted: true });
    expect((await rowOf(id)).config).toBeNull();
  });

  it("says in the audit log that a secret changed, and not to what", async () => {
    const { id } = await make();
    await call("PATCH", `${path}/${id}`, { body: { config: { secretKey: `${secretKey}-2` } } });
    const [entry] = await read(`/audit?target_id=${id}`);
    expect(entry.after).toEqual({ config: expect.objectContaining({ secretKey: "changed" }) });
  });

  it("says in the audit log that an address changed, and nothing of a token in it; nor do rows of versions before", async () => {
    const url = (token: string) => ({ url: `https://hooks.example.com/t0ken/${token}?key=t0ken` });
    const { id } = await make({ type: "webhook", config: url("a") });
    await call("PATCH", `${path}/${id}`, { body: { config: url("b") } });
    expect((await read(`${path}/${id}`)).config.url).toBe(url("b").url);
    const rows = await read(`/audit?target_id=${id}`);
    expect(rows.map(({ after }: { after: { config: object } }) => after.config)).toMatchObject([
      { url: "https://hooks.example.com/… (changed)" },
      { url: "https://hooks.example.com/…" },
    ]);
    const { db, pool } = gateway().deps.store;
    const inClear = { config: { ...url("a"), method: "POST" }, name: "kept" };
    await pool.query("update audit set after = $2 where target_id = $1", [id, inClear]);
    await pool.query("update forwarding set last_error = $2 where destination_id = $1", [id, { request: url("a") }]);
    await shortenAddresses(db as never);
    const [{ after }] = await read(`/audit?target_id=${id}`);
    expect(after).toEqual({ config: { url: "https://hooks.example.com/…", method: "POST" }, name: "kept" });
    const { rows: errors } = await pool.query("select last_error from forwarding where destination_id = $1", [id]);
    expect(errors).toEqual([{ last_error: { request: { url: "https://hooks.example.com/…" } } }]);
  });

  it("listDestinationTypes: 200 with every kind, its members and which of them are secret", async () => {
    const { data } = (await call("GET", "/observability/destination-types")).json;
    expect(data.map((kind: { type: string }) => kind.type)).toEqual(DestinationType.options);
    expect(data).toHaveLength(17);
    const members = data.find((kind: { type: string }) => kind.type === "langfuse").config;
    expect(members).toContainEqual({
      name: "secretKey",
      title: "Secret key",
      required: true,
      secret: true,
      form: "text",
      default: null,
      choices: null,
      pattern: null,
    });
  });

  it("serves the official client: every kind is made, read, updated, previewed and deleted as a known type", async () => {
    const client = new OpenRouter({
      apiKey: gateway().managementKey,
      serverURL: `${gateway().url}/api/v1`,
      retryConfig: { strategy: "none" },
    });
    for (const type of DestinationType.options) {
      const created = await client.observability.create({
        createObservabilityDestinationRequest: { name: type, type, config: requiredConfig(type) },
      });
      const { id } = created.data as { id: string };
      const read = await client.observability.get({ id });
      const updated = await client.observability.update({
        id,
        updateObservabilityDestinationRequest: { privacyMode: true, samplingRate: 0.5 },
      });
      for (const { data } of [created, read, updated]) {
        expect(data, type).not.toHaveProperty("isUnknown");
        expect(data.type).toBe(type);
      }
      expect(updated.data).toMatchObject({ privacyMode: true, samplingRate: 0.5 });
      const body = { type, config: requiredConfig(type) };
      const preview = (await call("POST", `${path}/preview`, { body })).json.data;
      expect(preview, type).toMatchObject({ real: false, outcome: "forwarded", requests: [{}] });
      expect(await client.observability.delete({ id })).toEqual({ deleted: true });
    }
  });
});
