import { randomUUID } from "node:crypto";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { configMembers, DestinationType } from "#contract/destination-kinds.ts";
import { describeOnEngines } from "../testing/engines.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/makers.ts";

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

describeOnEngines("observability destinations over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  /** Each in a workspace of its own, so that the most of one kind is not met by accident. */
  const make = async (body: Record<string, unknown> = {}) => {
    const workspace = await makeWorkspace(gateway());
    const answer = await call("POST", path, { body: { ...langfuse, workspace_id: workspace.id, ...body } });
    expect(answer.status, answer.text).toBe(201);
    return answer.json.data;
  };

  describe("createDestination", () => {
    it("201: answers with the record, defaults filled in and secrets masked", async () => {
      const data = await make();
      expect(data).toMatchObject({
        name: "Langfuse",
        type: "langfuse",
        enabled: true,
        config: { secretKey: "sk-l...cdef", publicKey: "pk-lf-1", baseUrl: "https://us.cloud.langfuse.com" },
        api_key_hashes: null,
        filter_rules: null,
        privacy_mode: false,
        sampling_rate: 1,
        broadcast_generation_cost: false,
        regions: ["global"],
      });
      expect(data.updated_at).toBe(data.created_at);
    });

    it.each([
      [{ type: "carrier-pigeon" }, ["type"]],
      [{ name: " " }, ["name"]],
      [{ config: {} }, ["config.secretKey", "config.publicKey"]],
      [{ config: { ...langfuse.config, bucket: "b" } }, ["config.bucket"]],
      [{ config: { ...langfuse.config, publicKey: 7 } }, ["config.publicKey"]],
      [{ config: { ...langfuse.config, baseUrl: "https://me:secret@langfuse.example" } }, ["config.baseUrl"]],
      [{ config: { ...langfuse.config, headers: { "X-Snow": "snow☃" } } }, ["config.headers.X-Snow"]],
      [
        { type: "s3", config: { bucketName: "a#", accessKeyId: "k", secretAccessKey: "s", region: "evil.example/x" } },
        ["config.bucketName", "config.region"],
      ],
      [{ sampling_rate: 0 }, ["sampling_rate"]],
      [{ sampling_rate: 1.01 }, ["sampling_rate"]],
      [{ sampling_rate: 0.00009 }, ["sampling_rate"]],
      [{ api_key_hashes: [] }, ["api_key_hashes"]],
      [{ api_key_hashes: "all" }, ["api_key_hashes"]],
      [
        { filter_rules: { groups: [{ rules: [{ field: "mood", operator: "equals", value: "x" }] }] } },
        ["filter_rules.groups.0.rules.0.field"],
      ],
      [
        { filter_rules: { groups: [{ rules: [{ field: "model", operator: "regex", value: "(" }] }] } },
        ["filter_rules.groups.0.rules.0.value"],
      ],
      [{ filter_rules: {} }, ["filter_rules.groups"]],
      [{ privacy_mode: "on" }, ["privacy_mode"]],
      [{ workspace_id: randomUUID() }, ["workspace_id"]],
      [{ colour: "red" }, ["colour"]],
    ])("400: %j names %j and writes nothing", async (wrong, paths) => {
      const before = (await call("GET", `${path}?workspace_id=all`)).json.total_count;
      expectIssues(await call("POST", path, { body: { ...langfuse, ...wrong } }), ...paths);
      expect((await call("GET", `${path}?workspace_id=all`)).json.total_count).toBe(before);
    });

    it("401 and 403: only management keys", async () => {
      expectError(await call("POST", path, { key: null, body: langfuse }), "authentication", /Authorization/);
      const { key } = await makeKey(gateway());
      expectError(await call("POST", path, { key, body: langfuse }), "permission_denied", /management key/);
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

  describe("listDestinations and getDestination", () => {
    it("200: of one workspace, with the count of all", async () => {
      const made = await make();
      const listed = await call("GET", `${path}?workspace_id=${made.workspace_id}`);
      expect(listed.json).toEqual({ data: [made], total_count: 1 });
      const read = await call("GET", `${path}/${made.id}`);
      expect(read.json.data).toEqual(made);
      expect(read.headers.get("etag")).toBe('"1"');
    });
    it("404: unknown; 400: not an id", async () => {
      expectError(await call("GET", `${path}/${randomUUID()}`), "not_found", /destination/);
      expectIssues(await call("GET", `${path}/one`), "id");
    });
  });

  describe("updateDestination", () => {
    it("200: keeps what is left out, clears with null, ignores masked values", async () => {
      const made = await make({
        api_key_hashes: ["a".repeat(64)],
        filter_rules: { groups: [{ rules: [{ field: "model", operator: "exists" }] }] },
      });
      const named = await call("PATCH", `${path}/${made.id}`, { body: { name: "Renamed", enabled: false } });
      expect(named.json.data).toEqual({
        ...made,
        name: "Renamed",
        enabled: false,
        updated_at: named.json.data.updated_at,
      });
      const body = {
        api_key_hashes: null,
        filter_rules: null,
        config: { secretKey: made.config.secretKey, publicKey: "pk-lf-2" },
      };
      const cleared = await call("PATCH", `${path}/${made.id}`, { body });
      expect(cleared.json.data).toMatchObject({
        api_key_hashes: null,
        filter_rules: null,
        config: { ...made.config, publicKey: "pk-lf-2" },
      });
      expect(cleared.headers.get("etag")).toBe('"3"');
    });

    it("200: what changes nothing makes no new version", async () => {
      const made = await make();
      for (const body of [{}, { name: made.name, enabled: made.enabled }, { config: made.config }]) {
        const answer = await call("PATCH", `${path}/${made.id}`, { body });
        expect(answer.json.data).toEqual(made);
        expect(answer.headers.get("etag")).toBe('"1"');
      }
    });

    it("200: the bounds of the sampling rate are inside", async () => {
      const made = await make();
      for (const rate of [0.0001, 0.025, 1]) {
        const answer = await call("PATCH", `${path}/${made.id}`, { body: { sampling_rate: rate } });
        expect(answer.json.data.sampling_rate).toBe(rate);
      }
    });

    it.each([
      [{ sampling_rate: 0.00001 }, ["sampling_rate"]],
      [{ sampling_rate: "1" }, ["sampling_rate"]],
      [{ api_key_hashes: [] }, ["api_key_hashes"]],
      [{ type: "webhook" }, ["type"]],
      [{ config: { secretKey: null } }, ["config.secretKey"]],
      [{ config: { baseUrl: "https://thief.example" } }, ["config.secretKey"]],
      [{ config: { secretKey: "sk-l…cdef" } }, ["config.secretKey"]],
    ])("400: %j names %j and changes nothing", async (body, paths) => {
      const made = await make();
      expectIssues(await call("PATCH", `${path}/${made.id}`, { body: { name: "lost", ...body } }), ...paths);
      expect((await call("GET", `${path}/${made.id}`)).json.data).toEqual(made);
    });

    it("409: a stale write loses nothing", async () => {
      const made = await make();
      const first = await call("PATCH", `${path}/${made.id}`, {
        headers: { "if-match": '"1"' },
        body: { name: "Ana's" },
      });
      expect(first.status).toBe(200);
      const second = await call("PATCH", `${path}/${made.id}`, {
        headers: { "if-match": '"1"' },
        body: { name: "Ben's" },
      });
      expectError(second, "conflict", /changed by somebody else/);
      expect((await call("GET", `${path}/${made.id}`)).json.data.name).toBe("Ana's");
    });

    it("404: unknown", async () => {
      expectError(await call("PATCH", `${path}/${randomUUID()}`, { body: {} }), "not_found", /destination/);
    });
  });

  describe("deleteDestination", () => {
    it("200: and it is gone, its secrets with it", async () => {
      const made = await make();
      expect((await call("DELETE", `${path}/${made.id}`)).json).toEqual({ deleted: true });
      expectError(await call("DELETE", `${path}/${made.id}`), "not_found", /destination/);
      const row = await gateway()
        .deps.store.db.selectFrom("destinations")
        .select("config")
        .where("id", "=", made.id)
        .executeTakeFirstOrThrow();
      expect(row.config).toBeNull();
    });
  });

  it("keeps secrets out of the store and of the audit log, which says that they changed", async () => {
    const made = await make();
    await call("PATCH", `${path}/${made.id}`, { body: { config: { secretKey: `${secretKey}-2` } } });
    const { db } = gateway().deps.store;
    const rows = await db.selectFrom("destinations").selectAll().execute();
    const audit = await db.selectFrom("audit").selectAll().where("target_id", "=", made.id).orderBy("at").execute();
    expect(JSON.stringify([rows, audit])).not.toContain("canary");
    expect(audit.at(-1)?.after).toEqual({ config: expect.objectContaining({ secretKey: "changed" }) });
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

  it("serves the official client: every kind is made, read, updated and deleted as a known type", async () => {
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
      expect(await client.observability.delete({ id })).toEqual({ deleted: true });
    }
  });
});
