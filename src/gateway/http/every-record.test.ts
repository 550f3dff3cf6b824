import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { api, type EndpointName } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import * as z from "zod/mini";
import { purgeExcess } from "../domain/bodies/purge.ts";
import { idempotencyMs } from "../domain/idempotency.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";
import type { Answer, CallOptions } from "../testing/gateway.ts";
import { connectDirectory, type IdentityProvider } from "../testing/identity-provider.ts";
import { withVendor } from "../testing/vendor-setup.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { readIfMatch } from "./version.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- records whose members are what is tested
type Data = Record<string, any>;

/** One kind of record, by the name that its operations have in common: create…, get…, update… and delete…. */
interface Row {
  /** the member that names a record in its path; default: id */
  id?: "hash" | "slug";
  /** the member that names it in the audit log, where that is another one */
  audited?: "id";
  /** what refusals call it */
  noun: string;
  list: EndpointName;
  /** a valid body, another one each time, in which each member that `null` clears has a value */
  body: () => Promise<object>;
  /** members of the body that the record shows otherwise, or not at all */
  unshown?: string[];
  /** in the body, and the PATCH that sends one; another one has the same mask */
  secret?: string;
  sealed?: (secret: string) => object;
  /** whether its creation answers with a plaintext that nothing else shows */
  revealed?: true;
  /** waits for the end of what its creation begins */
  settle?: (data: Data) => Promise<unknown>;
  /** what is counted in a record, and makes no version of it */
  use?: (data: Data, plaintext: string) => Promise<unknown>;
  /** a PATCH; null: none can be changed */
  change: object | null;
  /** what else that PATCH changes */
  derived?: object;
  /** members of a PATCH that take `null` and cannot be cleared, with the reason */
  uncleared?: Record<string, string>;
  /** members of a PATCH that the record has in another form */
  unsent?: string[];
  /** a PATCH that changes nothing sets `updated_at` all the same, as the specification says */
  touched?: true;
  /** no process keeps anything of it in its memory */
  unkept?: true;
  /** the query of its deletion */
  removal?: string;
}

let made = 0;
const fresh = () => `record-${(made += 1)}`;
const far = "2099-01-01T00:00:00.000Z";
const pathOf = (name: EndpointName) => (api[name] as Endpoint).path;

describe("readIfMatch", () => {
  const read = (tag?: string) =>
    readIfMatch({ headers: tag === undefined ? {} : { "if-match": tag } } as unknown as FastifyRequest);

  it.each<[tag: string | undefined, versions: string[] | null]>([
    [undefined, null],
    ["*", null],
    ['"3"', ["3"]],
    ['W/"3"', ["3"]],
    ['"of,another",\t"3"', ["of,another", "3"]],
    ['W/"3" ,, "0",', ["3", "0"]],
    ['"0", W/"of,another"', ["0", "of,another"]],
  ])("%j: %j", (tag, versions) => expect(read(tag)).toEqual(versions));

  it.each(["yesterday", "", ",", '"1" "2"', '"1', '*, "1"', '"1";'])("400: %j is no ETag", (tag) =>
    expect(() => read(tag)).toThrow(/The If-Match header must be/),
  );
});

describe("idempotencyKey", () => {
  const read = (key?: string) => idempotencyKey({ headers: key === undefined ? {} : { "idempotency-key": key } });

  it("takes 1 to 255 visible ASCII characters, or none", () => {
    expect([read(), read("!~"), read("x".repeat(255))]).toEqual([null, "!~", "x".repeat(255)]);
  });

  it.each(["", "a b", "é", "x".repeat(256)])("400: %j", (key) =>
    expect(() => read(key)).toThrow(/The Idempotency-Key header must be/),
  );
});

describe("the pages of every list in the contract", () => {
  /** Where it is not 100. */
  const mostOf: Partial<Record<EndpointName, number>> = {
    listFiles: 1_000,
    listMessageBatches: 1_000,
    listModels: 1_000,
    listModelsForUser: 1_000,
    listEmbeddingModels: 1_000,
    listCanaryRuns: 500,
    getSessionCost: 500,
    getUsageReport: 1_000,
  };
  const lists = Object.values<Endpoint>(api).filter(({ query }) => "limit" in membersOf(query));

  it.each(lists.map(({ name, query }) => [name, membersOf(query)] as const))("%s", (name, members) => {
    const { limit, offset } = members;
    const most = mostOf[name as EndpointName] ?? 100;
    const takes = (schema: z.core.$ZodType | undefined, text: string) =>
      schema !== undefined && z.safeParse(schema, text).success;
    const wrong = ["-1", "1.5", "x"];
    const limits = ["1", String(most), String(most + 1), "0", "", ...wrong];
    expect(limits.filter((text) => takes(limit, text))).toEqual(["1", String(most)]);
    if (offset === undefined) return;
    const offsets = ["0", "1000000000", ""];
    expect([...offsets, ...wrong].filter((text) => takes(offset, text))).toEqual(offsets);
  });
});

function membersOf(schema: Endpoint["body"]): Record<string, z.core.$ZodType> {
  return schema instanceof z.ZodMiniObject ? schema.shape : {};
}

describeGateway("every record", (gateway) => {
  withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  let directory: IdentityProvider;
  let home = "";
  beforeAll(async () => {
    directory = await connectDirectory(gateway());
    home = await workspace();
  });
  const workspace = async () => (await makeWorkspace(gateway())).id;
  const soon = () => new Date(gateway().clock.now().getTime() + 1_000).toISOString();
  const keyOf = async (workspace_id: string) => (await makeKey(gateway(), { workspace_id })).record.hash;
  const model = {
    id: "made/embed",
    upstream_id: "embed",
    type: "embedding",
    dimensions: 8,
    dimensions_range: { minimum: 1, maximum: 8 },
    pricing: { prompt: "0.1", image: "1" },
  };

  const rows: Record<string, Row> = {
    Key: {
      id: "hash",
      noun: "key",
      list: "listKeys",
      body: async () => ({
        name: fresh(),
        limit: 3.5,
        limit_reset: "daily",
        include_byok_in_limit: true,
        limit_watch_only: true,
        expires_at: far,
        requests_per_minute: 10,
        tokens_per_minute: 100,
        creator_user_id: "ana",
      }),
      change: { name: "Renamed", requests_per_minute: 20 },
      use: (_, key) => call("GET", "/key", { key }),
      revealed: true,
    },
    ManagementKey: {
      id: "hash",
      noun: "key",
      list: "listManagementKeys",
      body: async () => ({ name: fresh(), expires_at: far }),
      change: { name: "Renamed" },
      use: (_, management_key) => call("POST", "/session", { key: null, body: { management_key } }),
      revealed: true,
    },
    Workspace: {
      noun: "workspace",
      list: "listWorkspaces",
      body: async () => ({
        name: fresh(),
        slug: fresh(),
        description: "The lab",
        default_image_model: "a/b",
        default_provider_sort: "price",
        default_text_model: "a/c",
        requests_per_minute: 60,
        tokens_per_minute: 600,
        embedding_cache_mb: 10,
        embedding_cache_days: 3,
      }),
      change: { name: "Renamed", requests_per_minute: 61 },
      use: ({ id: workspace_id }) => makeKey(gateway(), { workspace_id, expires_at: soon() }),
      uncleared: { io_logging_api_key_ids: "null is all that it can be" },
    },
    Provider: {
      id: "slug",
      noun: "provider",
      list: "listProviderSettings",
      body: async () => ({
        slug: fresh(),
        name: "Made",
        kind: "openai-compatible",
        base_url: "http://127.0.0.1:9/v1",
        api_key: "sk-a-secret-of-the-provider",
        options: { timeout_seconds: 5 },
        privacy_policy_url: "https://a.example/privacy",
        terms_of_service_url: "https://a.example/terms",
        status_page_url: "https://a.example/status",
        models: [model],
      }),
      unshown: ["api_key", "models"],
      secret: "sk-a-secret-of-the-provider",
      sealed: (api_key) => ({ api_key }),
      change: { name: "Renamed", zdr: true },
    },
    ByokKey: {
      noun: "provider key",
      list: "listByokKeys",
      body: async () => ({
        provider: "acme",
        key: "sk-a-secret-of-the-workspace",
        workspace_id: home,
        name: fresh(),
        allowed_models: ["a/b"],
        allowed_user_ids: ["ana"],
        allowed_api_key_hashes: [await keyOf(home)],
      }),
      unshown: ["key"],
      secret: "sk-a-secret-of-the-workspace",
      sealed: (key) => ({ key }),
      change: { name: "Renamed", is_fallback: true },
    },
    Preset: {
      id: "slug",
      audited: "id",
      noun: "preset",
      list: "listPresets",
      body: async () => ({ slug: fresh(), name: fresh(), description: "For mail", config: { model: "a/b" } }),
      unshown: ["config"],
      change: { name: "Renamed" },
      unsent: ["designated_version"],
    },
    Guardrail: {
      noun: "guardrail",
      list: "listGuardrails",
      body: async () => ({
        name: fresh(),
        workspace_id: home,
        description: "Why",
        allowed_models: ["a/b"],
        ignored_models: ["a/c"],
        allowed_providers: ["acme"],
        ignored_providers: ["other"],
        allowed_data_regions: ["global"],
        enforce_zdr: true,
        enforce_zdr_google: false,
        enable_free_model_training: false,
        enable_free_model_publication: false,
        enable_paid_model_training: false,
        limit_usd: 2,
        reset_interval: "weekly",
        content_filters: [{ pattern: "a+", action: "flag", label: "A" }],
        content_filter_builtins: [{ slug: "email", action: "block", label: "EMAIL" }],
      }),
      change: { name: "Renamed", allowed_models: ["c/d", "e/f"] },
    },
    Destination: {
      noun: "destination",
      list: "listDestinations",
      body: async () => {
        const workspace_id = await workspace();
        return {
          name: fresh(),
          type: "webhook",
          config: { url: "http://127.0.0.1:9/", headers: { "X-Token": "sk-a-secret-of-the-sink" } },
          enabled: false,
          workspace_id,
          api_key_hashes: [await keyOf(workspace_id)],
          filter_rules: { groups: [{ logic: "and", rules: [{ field: "model", operator: "equals", value: "a" }] }] },
        };
      },
      unshown: ["config"],
      secret: "sk-a-secret-of-the-sink",
      sealed: (token) => ({ config: { headers: { "X-Token": token } } }),
      change: { name: "Renamed", sampling_rate: 0.5 },
      touched: true,
    },
    FederationPolicy: {
      noun: "federation policy",
      list: "listFederationPolicies",
      body: async () => ({
        name: fresh(),
        api_key_hash: await keyOf(home),
        issuer: "https://issuer.example",
        jwks_url: "https://issuer.example/jwks",
        audience: "gateway",
        subject: "repo:acme/app:*",
        claims: { environment: "production" },
        token_lifetime: 300,
      }),
      change: { name: "Renamed", token_lifetime: 60 },
      uncleared: { jwks_url: "one of the two is always there", jwks: "one of the two is always there" },
    },
    ScimGroupMapping: {
      noun: "mapping",
      list: "listScimGroupMappings",
      body: async () => ({
        scim_group_id: await directory.group(fresh()),
        workspace_id: await workspace(),
        role: "member",
      }),
      change: { role: "admin" },
      unkept: true,
      removal: "?keep_members=false",
    },
    ScimToken: {
      noun: "token",
      list: "listScimTokens",
      body: async () => ({ name: fresh() }),
      change: null,
      revealed: true,
    },
    Canary: {
      noun: "canary",
      list: "listCanaries",
      body: async () => {
        const provider = fresh();
        const base_url = (await call("GET", "/providers/acme")).json.data.base_url;
        const model = `made/${provider}`;
        const offered = [{ id: model, upstream_id: "embed-small", type: "embedding" as const }];
        await makeProvider(gateway(), { slug: provider, base_url, models: offered });
        return { provider, model, workspace_id: home, every_hours: 24 };
      },
      settle: ({ id }) =>
        eventually(
          async () => (await call("GET", `/canaries/${id}/runs`)).json.data.length,
          (runs) => runs > 0,
        ),
      change: { every_hours: 6 },
      derived: { next_run_at: expect.any(String) },
    },
  };

  const endpoints: Record<string, Endpoint> = api;
  const creation = (name: string) => endpoints[`create${name}`] as Endpoint;
  const removal = (name: string) => endpoints[`delete${name}`] as Endpoint;
  /** Those that there is one record of, and of which it is changed. */
  const patchable = Object.entries(rows).flatMap(([name, row]) =>
    row.change === null ? [] : [[name, row, endpoints[`update${name}`] as Endpoint, row.change] as const],
  );
  const idOf = (row: Row, data: Data) => data[row.id ?? "id"] as string;
  const ask = (endpoint: Endpoint, row: Row, data: Data, options: CallOptions = {}) => {
    const query = endpoint.method === "DELETE" ? (row.removal ?? "") : "";
    return call(endpoint.method, endpoint.path.replace(/\{\w+\}/, idOf(row, data)) + query, options);
  };
  async function make(name: string, row: Row) {
    const body = (await row.body()) as Data;
    const answer = await call("POST", creation(name).path, { body });
    expect(answer.text).toSatisfy(() => answer.status === 201);
    await row.settle?.(answer.json.data);
    const { key, token, data } = answer.json;
    return { body, answer, plaintext: (key ?? token) as string, data: data as Data };
  }
  async function listed(row: Row, data: Data): Promise<Data | undefined> {
    const { path, query } = api[row.list] as Endpoint;
    const { limit, workspace_id } = membersOf(query);
    const search = new URLSearchParams({
      ...(limit && { limit: "100" }),
      ...(workspace_id && { workspace_id: data["workspace_id"] }),
    });
    const { json } = await call("GET", `${path}?${search.toString()}`);
    return json.data.find((each: Data) => idOf(row, each) === idOf(row, data));
  }
  const read = async (name: string, row: Row, data: Data): Promise<Data> => {
    const get = endpoints[`get${name}`];
    return (get === undefined ? await listed(row, data) : (await ask(get, row, data)).json.data) ?? {};
  };
  const auditOf = async (row: Row, data: Data) =>
    (await call("GET", `/audit?target_id=${data[row.audited ?? row.id ?? "id"]}`)).json.data as Data[];
  const tagOf = (answer: Answer) => answer.headers.get("etag") ?? "";
  /** Those of its members that are among the names, or that are not. */
  const only = (data: Data, names: readonly string[], isIn = true) =>
    Object.fromEntries(Object.entries(data).filter(([member]) => names.includes(member) === isIn));
  /** On which channels other processes were told something meanwhile. */
  async function toldOf(work: () => Promise<unknown>): Promise<string[]> {
    const { notices } = gateway().deps.store;
    const { send } = notices;
    const told: string[] = [];
    notices.send = async (channel, ...payloads) => {
      told.push(channel);
      await send(channel, ...payloads);
    };
    await work().finally(() => void (notices.send = send));
    return told;
  }

  it("that takes If-Match or an Idempotency-Key is in a table here", () => {
    const taking = (header: "If-Match" | "Idempotency-Key") =>
      Object.values(endpoints).flatMap(({ name, headers }) => (headers.includes(header) ? [name] : []));
    const changes = patchable.flatMap(([name, , update]) => [update, removal(name)]);
    const checked = changes.filter(({ headers }) => headers.includes("If-Match")).map(({ name }) => name);
    const others = ["createPresetVersion", "upsertWorkspaceBudget", "deleteWorkspaceBudget"];
    expect(taking("If-Match").toSorted()).toEqual([...checked, ...others].toSorted());
    expect(taking("Idempotency-Key").toSorted()).toEqual(
      [...creations.map(({ name }) => name), "rotateKey", "rotateManagementKey"].toSorted(),
    );
  });

  it.each(Object.entries(rows))(
    "%s: is created as it was sent, read back alike, deleted, and then there is none; the audit log says who and what",
    async (name, row) => {
      const { body, answer, data } = await make(name, row);
      const { workspace_id = null, ...sent } = body;
      const shown = only(sent, row.unshown ?? [], false);
      expect(data).toMatchObject({ ...shown, ...("workspace_id" in body && { workspace_id }) });
      const known = { [row.id ?? "id"]: idOf(row, data) };
      expect(await read(name, row, data)).toEqual(row.settle === undefined ? data : expect.objectContaining(known));
      expect(await listed(row, data)).toMatchObject(known);
      const [get, update, remove] = [endpoints[`get${name}`], endpoints[`update${name}`], removal(name)];
      if (get !== undefined && creation(name).answerHeaders.includes("ETag"))
        expect(tagOf(await ask(get, row, data))).toBe(tagOf(answer));
      expect((await ask(remove, row, data)).json).toEqual({ deleted: true });
      for (const verb of [get, update, remove].filter((one) => one !== undefined)) {
        const options = verb === update ? { body: row.change } : {};
        expectError(await ask(verb, row, data, options), "not_found", new RegExp(row.noun, "i"));
      }
      expect(await listed(row, data)).toBeUndefined();
      const [deletion, first, ...more] = await auditOf(row, data);
      const who = { actor: "admin", source_ip: "127.0.0.1", target_name: data["name"] ?? expect.any(String) };
      expect(more).toEqual([]);
      const request_id = answer.headers.get("x-request-id");
      expect(first).toMatchObject({ ...who, request_id, action: creation(name).operationId, before: null });
      expect(first?.["after"]).toMatchObject(shown);
      if (workspace_id !== null) expect(first).toMatchObject({ workspace_id });
      expect(deletion).toMatchObject({ ...who, action: remove.operationId, before: first?.["after"], after: null });
    },
  );

  it.each(patchable)("%s: a PATCH changes what it names alone, and null clears", async (name, row, update, change) => {
    const { data } = await make(name, row);
    const before = await read(name, row, data);
    gateway().clock.advance(1_000);
    const patch = (body: object) => ask(update, row, data, { body });
    const { data: changed } = (await patch(change)).json;
    const updated_at = gateway().clock.now().toISOString();
    expect(changed).toEqual({ ...before, ...change, ...row.derived, ...("updated_at" in data && { updated_at }) });
    expect(await read(name, row, data)).toEqual(changed);
    const [entry] = await auditOf(row, data);
    expect(entry).toMatchObject({ actor: "admin", action: update.operationId });
    expect([entry?.["before"], entry?.["after"]]).toEqual([only(before, Object.keys(change)), change]);

    const members = Object.entries(membersOf(update.body)).filter(([member]) => !(member in (row.uncleared ?? {})));
    const clear = (isNullable: boolean) =>
      members.filter(([, schema]) => z.safeParse(schema, null).success === isNullable).map(([member]) => member);
    const [nullable, others] = [clear(true), clear(false)];
    const nulls = (names: string[]) => Object.fromEntries(names.map((member) => [member, null]));
    expectIssues(await patch(nulls(others)), ...others);
    expect(nullable.filter((member) => changed[member] === null)).toEqual([]);
    if (nullable.length === 0) return;
    const cleared = (await patch(nulls(nullable))).json.data;
    expect(cleared).toMatchObject({ ...only(changed, others), ...nulls(nullable) });
  });

  it.each(patchable)(
    "%s: a PATCH that changes nothing makes no version, no entry in the audit log and no notice",
    async (name, row, update, change) => {
      const { data } = await make(name, row);
      const before = await read(name, row, data);
      const patch = (body: object) => ask(update, row, data, { body });
      const sentBack = only(only(before, Object.keys(membersOf(update.body))), row.unsent ?? [], false);
      const tags = new Set<string>();
      const { secret = "", sealed } = row;
      const bodies = [{}, sentBack, ...(sealed === undefined ? [] : [sealed(secret)])].filter(
        (body) => z.safeParse(update.body as z.core.$ZodType, body).success,
      );
      expect(bodies).toContain(sentBack);
      const quiet: string[] = [];
      for (const body of bodies) {
        gateway().clock.advance(1_000);
        const updated_at = gateway().clock.now().toISOString();
        const told = await toldOf(async () => {
          const answer = await patch(body);
          expect(answer.json.data, answer.text).toEqual({ ...before, ...(row.touched && { updated_at }) });
          tags.add(tagOf(answer));
        });
        quiet.push(...told);
      }
      const get = endpoints[`get${name}`];
      expect([...tags]).toEqual([update.answerHeaders.includes("ETag") && get ? tagOf(await ask(get, row, data)) : ""]);
      expect(await auditOf(row, data)).toHaveLength(1);
      const changes = [change, ...(sealed === undefined ? [] : [sealed(secret.replace("secret", "SECRET"))])];
      for (const body of changes) {
        const told = await toldOf(async () => tags.add(tagOf(await patch(body))));
        expect(told.length > 0).toBe(row.unkept === undefined);
        // Others may be told of something else meanwhile.
        expect(quiet.filter((channel) => told.includes(channel))).toEqual([]);
      }
      expect(await auditOf(row, data)).toHaveLength(1 + changes.length);
      if (update.answerHeaders.includes("ETag")) expect(tags.size).toBe(1 + changes.length);
    },
  );

  it.each(patchable.filter(([, , { headers }]) => headers.includes("If-Match")))(
    "%s: is not changed or deleted by somebody who read another state of it",
    async (name, row, update, change) => {
      const { data, plaintext } = await make(name, row);
      const get = endpoints[`get${name}`] as Endpoint;
      const patch = (tag: string, body: object) => ask(update, row, data, { headers: { "if-match": tag }, body });
      const remove = (tag: string) => ask(removal(name), row, data, { headers: { "if-match": tag } });
      const seen = tagOf(await ask(get, row, data));
      await row.use?.(data, plaintext);
      expect(tagOf(await ask(get, row, data))).toBe(seen);
      gateway().clock.advance(1_000);
      const first = await patch(seen, change);
      const current = await ask(get, row, data);
      expect([first.status, tagOf(current), tagOf(current) === seen]).toEqual([200, tagOf(first), false]);
      for (const stale of [await patch(seen, { name: "Second" }), await remove(seen)]) {
        expectError(stale, "conflict", `The ${row.noun} was changed by someone else since you read it`);
        const { current_version, updated_at } = stale.json.error.metadata;
        expect([`"${current_version}"`, updated_at]).toEqual([tagOf(first), first.json.data.updated_at]);
      }
      for (const malformed of [await patch("yesterday", change), await remove("yesterday")])
        expectError(malformed, "invalid_request", /If-Match/);
      expect(await read(name, row, data)).toEqual(current.json.data);
      const third = await patch(`W/${tagOf(first)}`, { name: "Third" });
      expect(third.json.data.name).toBe("Third");
      expect((await remove(tagOf(third))).json).toEqual({ deleted: true });
    },
  );

  it("budgets: none is changed or removed by somebody who read another state of them", async () => {
    const path = `/workspaces/${await workspace()}/budgets`;
    const none = tagOf(await call("GET", path));
    const put = async (interval: string, limit_usd: number, tag: string) =>
      await call("PUT", `${path}/${interval}`, { headers: { "if-match": tag }, body: { limit_usd } });
    const first = await put("monthly", 10, none);
    expect(first.status).toBe(200);
    expectError(await put("monthly", 20, none), "conflict", /set of budgets was changed by someone else/);
    expectError(await put("monthly", 20, "yesterday"), "invalid_request", /If-Match/);
    for (const each of [path, `${path}/monthly`]) expect(tagOf(await call("GET", each))).toBe(tagOf(first));
    expect((await put("weekly", 5, tagOf(first))).status).toBe(200);
    const stale = { "if-match": tagOf(first) };
    expectError(await call("DELETE", `${path}/monthly`, { headers: stale }), "conflict", /changed by someone else/);
    expect((await call("GET", `${path}/monthly`)).json.data.limit_usd).toBe(10);
  });

  it("budgets: a PUT or DELETE that changes nothing makes no entry in the audit log and no notice", async () => {
    const id = await workspace();
    const put = (limit_usd: number) => call("PUT", `/workspaces/${id}/budgets/daily`, { body: { limit_usd } });
    const entries = async () => (await call("GET", `/audit?target_id=${id}/daily`)).json.data.length as number;
    const first = await put(5);
    gateway().clock.advance(1_000);
    expect(await toldOf(async () => expect((await put(5)).json).toEqual(first.json))).toEqual([]);
    expect(await toldOf(() => call("DELETE", `/workspaces/${id}/budgets/weekly`))).toEqual([]);
    expect(await entries()).toBe(1);
    expect(await toldOf(() => put(6))).not.toEqual([]);
    expect(await entries()).toBe(2);
  });

  it("preset versions: none is added by somebody who read another state of the preset", async () => {
    const { answer, data } = await make("Preset", rows["Preset"] as Row);
    const add = (tag: string) => {
      const body = { config: { model: "a/d" } };
      return call("POST", `/presets/${data["slug"]}/versions`, { headers: { "if-match": tag }, body });
    };
    const added = await add(tagOf(answer));
    expect([added.status, added.json.data.designated_version.version]).toEqual([201, 2]);
    expectError(await add(tagOf(answer)), "conflict", "The preset was changed by someone else");
    expectError(await add("yesterday"), "invalid_request", /If-Match/);
    expect((await add(tagOf(added))).json.data.designated_version.version).toBe(3);
  });

  it("none shows its secret in the audit log, in lists, in the gateway's log or in any table of the store", async () => {
    const secrets: string[] = [];
    const texts: string[] = [];
    for (const [name, row] of Object.entries(rows)) {
      if (row.secret === undefined && row.revealed === undefined) continue;
      const { data, plaintext, answer } = await make(name, row);
      const update = endpoints[`update${name}`];
      if (update !== undefined) texts.push((await ask(update, row, data, { body: row.change })).text);
      texts.push(
        JSON.stringify([data, await read(name, row, data), await listed(row, data), await auditOf(row, data)]),
      );
      secrets.push(row.secret ?? plaintext);
      if (row.secret !== undefined) texts.push(answer.text);
    }
    expect(secrets).toHaveLength(6);
    const { pool } = gateway().deps.store;
    const { rows: tables } = await pool.query("select tablename from pg_tables where schemaname = 'public'");
    for (const { tablename } of tables) {
      const found = `select t::text from "${tablename}" as t where t::text like any($1)`;
      texts.push(JSON.stringify((await pool.query(found, [secrets.map((secret) => `%${secret}%`)])).rows));
    }
    for (const secret of secrets) expect([gateway().log(), ...texts].join("\n")).not.toContain(secret);
  });

  /** What must not be made twice. */
  const creations: { name: string; path: string; body: () => Promise<object>; other: object; row: Row | null }[] = [
    { name: "addCredits", path: "/credits", body: async () => ({ amount_usd: 5 }), other: { note: "b" }, row: null },
    ...Object.entries(rows).flatMap(([name, row]) => {
      const { path, headers } = creation(name);
      const taken = { name: creation(name).name, path, body: row.body, other: row.change ?? {}, row };
      return headers.includes("Idempotency-Key") ? [taken] : [];
    }),
  ];

  it.each(creations)(
    "$name: with one Idempotency-Key makes one, however often it comes and however many at once; refuses another request",
    async ({ name, path, body: makeBody, other, row }) => {
      const action = endpoints[name]?.operationId;
      const entries = async () => (await call("GET", `/audit?action=${action}&limit=100`)).json.data.length as number;
      const [body, before, headers] = [await makeBody(), await entries(), { "idempotency-key": randomUUID() }];
      const answers = await Promise.all(Array.from({ length: 4 }, () => call("POST", path, { body, headers })));
      answers.push(await call("POST", path, { body, headers }));
      const [first, ...repeats] = answers.toSorted((a, b) => a.status - b.status);
      expect(first?.status).toBe(201);
      for (const repeat of repeats) {
        if (row?.revealed) expectError(repeat, "conflict", /was used before for the same request: no second key/);
        const data = row?.revealed ? repeat.json.error.metadata.data : repeat.json.data;
        expect(data).toEqual(first?.json.data);
        expect(repeat.text).not.toContain(first?.json.key ?? "no plaintext");
      }
      expect(await entries()).toBe(before + 1);
      const changed = await call("POST", path, { body: { ...body, ...other }, headers });
      expectError(changed, "conflict", /was used for a different request/);
      const malformed = await call("POST", path, { body, headers: { "idempotency-key": "a b" } });
      expectError(malformed, "invalid_request", /Idempotency-Key/);
      if (row === null || row.revealed) return;
      expect((await call("DELETE", `${path}/${first?.json.data[row.id ?? "id"]}`)).status).toBe(200);
      expectError(await call("POST", path, { body, headers }), "conflict", /was deleted since: send a new one/);
    },
  );

  it.each(["Key", "ManagementKey"])("rotate%s with an Idempotency-Key makes one successor", async (name) => {
    const { data } = await make(name, rows[name] as Row);
    const headers = { "idempotency-key": randomUUID() };
    const rotate = (grace_seconds = 60) =>
      call("POST", `${creation(name).path}/${data["hash"]}/rotate`, { headers, body: { grace_seconds } });
    const first = await rotate();
    expect(first.status).toBe(201);
    const again = await rotate();
    expectError(again, "conflict", /was used before for the same request/);
    expect(again.json.error.metadata.data.hash).toBe(first.json.data.hash);
    expect(again.text).not.toContain(first.json.key);
    expectError(await rotate(0), "conflict", /was used for a different request/);
  });

  it("an Idempotency-Key is forgotten after a day, without another such request", async () => {
    const headers = { "idempotency-key": randomUUID() };
    await call("POST", "/workspaces", { body: { name: "Repeated", slug: fresh() }, headers });
    const { store, now } = gateway().deps;
    const known = async () => {
      await purgeExcess(store, now());
      const found = store.db.selectFrom("idempotency").select("key").where("key", "=", headers["idempotency-key"]);
      return (await found.execute()).length;
    };
    gateway().clock.advance(idempotencyMs - 1);
    expect(await known()).toBe(1);
    gateway().clock.advance(1);
    expect(await known()).toBe(0);
  });

  /** Makes three. */
  const thrice = async <Made>(makeOne: () => Promise<Made>) => [await makeOne(), await makeOne(), await makeOne()];
  const guardrailWith = async (what: "keys" | "members", add: () => Promise<string>) => {
    const { data } = await make("Guardrail", rows["Guardrail"] as Row);
    const body = { [what === "keys" ? "key_hashes" : "member_user_ids"]: await thrice(add) };
    const path = `/guardrails/${data["id"]}/assignments/${what}`;
    expect((await call("POST", path, { body })).json).toEqual({ assigned_count: 3 });
    return path;
  };
  const [toKeys, toMembers] = [() => keyOf(home), async () => fresh()];
  /** What fills each list by offset, and its path. */
  const lists: Partial<Record<EndpointName, () => Promise<string>>> = {
    ...Object.fromEntries(
      Object.entries(rows).flatMap(([name, row]) => {
        const { path, query } = api[row.list] as Endpoint;
        const { offset, workspace_id } = membersOf(query);
        const isOfAll = workspace_id !== undefined && z.safeParse(workspace_id, "all").success;
        const fill = async () => (await thrice(() => make(name, row)), path + (isOfAll ? "?workspace_id=all" : ""));
        return offset === undefined ? [] : [[row.list, fill]];
      }),
    ),
    listGuardrailKeyAssignments: () => guardrailWith("keys", toKeys),
    listKeyAssignments: async () => (await guardrailWith("keys", toKeys), "/guardrails/assignments/keys"),
    listGuardrailMemberAssignments: () => guardrailWith("members", toMembers),
    listMemberAssignments: async () => (await guardrailWith("members", toMembers), "/guardrails/assignments/members"),
    listPresetVersions: async () => {
      const { data } = await make("Preset", rows["Preset"] as Row);
      const path = `/presets/${data["slug"]}/versions`;
      await thrice(() => call("POST", path, { body: { config: { seed: 1 } } }));
      return path;
    },
    listScimGroups: async () => (await thrice(() => directory.group(fresh())), "/scim/groups"),
    listOrganizationMembers: async () => (await thrice(() => directory.user(fresh())), "/organization/members"),
    listWorkspaceMembers: async () => {
      const path = `/workspaces/${await workspace()}/members`;
      await call("POST", `${path}/add`, { body: { user_ids: await thrice(() => directory.user(fresh())) } });
      return path;
    },
  };

  it.each(Object.entries(lists))("%s: its pages by offset have each entry once", async (_, fill) => {
    const path = await fill();
    const page = async (query: string) => (await call("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`)).json;
    const { data: all, total_count = all.length } = await page("limit=100");
    expect([all.length >= 3, total_count]).toEqual([true, all.length]);
    const pages: Data[][] = [];
    for (let offset = 0; offset < all.length; offset += 2) pages.push((await page(`limit=2&offset=${offset}`)).data);
    expect(pages.flat()).toEqual(all);
    expect(new Set(pages.flat().map((each) => JSON.stringify(each))).size).toBe(all.length);
    expect((await page(`offset=${all.length}`)).data).toEqual([]);
  });

  const say = { model: "acme/talk", max_tokens: 5, messages: [{ role: "user", content: "a" }] };
  const upload = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A\r\n--b--\r\n';
  const batch = { endpoint: "/v1/chat/completions", model: "acme/talk", requests: [{ custom_id: "a", body: say }] };
  const file: CallOptions = { raw: upload, headers: { "content-type": "multipart/form-data; boundary=b" } };
  /** Lists by cursor: the parameter, the member that a page gives for it, and how an entry is added. */
  const cursors: [name: EndpointName, cursor: string, given: string, add: CallOptions][] = [
    ["listKeys", "cursor", "next_cursor", { body: { name: "k" } }],
    ["listFiles", "cursor", "cursor", file],
    ["listFiles", "after", "last_id", file],
    ["listFiles", "after_id", "last_id", file],
    ["listBatches", "after", "last_id", { body: batch }],
    ["listMessageBatches", "after_id", "last_id", { body: { requests: [{ custom_id: "a", params: say }] } }],
  ];

  it.each(cursors)(
    "%s: its pages by %s have each entry once, while entries are added and deleted",
    async (name, cursor, given, add) => {
      const own = await makeWorkspace(gateway());
      const { key } = await makeKey(gateway(), { workspace_id: own.id });
      const isManaged = api[name].auth === "management";
      const path = pathOf(name);
      const as = isManaged ? {} : { key };
      const addOne = async () => {
        gateway().clock.advance(1_000);
        const body = isManaged ? { body: { ...(add.body as object), workspace_id: own.id } } : {};
        const { json } = await call("POST", path, { ...as, ...add, ...body });
        return (json.data?.hash ?? json.id) as string;
      };
      const page = async (more: string): Promise<[ids: string[], next: string | null]> => {
        const answer = await call("GET", `${path}?${isManaged ? `workspace_id=${own.id}&` : ""}${more}`, as);
        expect(answer.text).toSatisfy(() => answer.status === 200);
        const { data, has_more, [given]: next } = answer.json;
        return [data.map((each: Data) => each["hash"] ?? each["id"]), has_more === false ? null : next];
      };
      for (let n = 0; n < 4; n += 1) await addOne();
      const [all] = await page("limit=100");
      const [first, begin] = await page("limit=2");
      const added = await addOne();
      // One that is still running cannot be deleted.
      if (!path.endsWith("batches")) expect((await call("DELETE", `${path}/${first[0]}`, as)).status).toBe(200);
      const rest: string[] = [];
      for (let next = begin; next !== null;) {
        const [ids, after] = await page(`limit=2&${cursor}=${next}`);
        rest.push(...ids);
        next = after;
      }
      expect([...first, ...rest].filter((id) => id !== added)).toEqual(all);
      const malformed = await call("GET", `${path}?${cursor}=nonsense`, as);
      expect([malformed.status, malformed.json.error.message]).toEqual([400, expect.stringContaining(cursor)]);
    },
  );
});
