import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { api, basePath } from "#contract/api.ts";
import type { Credential, Endpoint } from "#contract/endpoint.ts";
import type { ErrorType } from "#contract/errors.ts";
import { scimBasePath } from "#contract/scim-protocol.ts";
import { fieldIssues } from "#contract/validation-messages.ts";
import { generateKey } from "../domain/keys/format.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import { makeKey } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { connectDirectory } from "../testing/identity-provider.ts";

const id = "00000000-0000-4000-8000-000000000000";

/** What a path names that nothing has, by the parameter's name; another one: `nobody`. */
const unknownIds: Readonly<Record<string, string>> = {
  hash: "0".repeat(64),
  interval: "daily",
  version: "1",
  ...Object.fromEntries(["id", "file_id", "message_batch_id", "jobId"].map((name) => [name, id])),
};

const scimPatch = (value: object) => ({ body: { Operations: [{ op: "replace", value }] } });

/** What a request needs besides the unknown id to be a right one. */
const rest: Readonly<Record<string, { query?: string; body?: object }>> = {
  rotateKey: { body: { grace_seconds: 0 } },
  rotateManagementKey: { body: { grace_seconds: 0 } },
  getUsageReport: { query: "since=2026-11-01T00:00:00Z&group_by=key" },
  getModelUsage: { query: "model=acme/none" },
  getKeyUsage: { query: "by=day&last=1" },
  addWorkspaceMembers: { body: { user_ids: ["ana"] } },
  removeWorkspaceMembers: { body: { user_ids: ["ana"] } },
  updateScimGroupMapping: { body: { role: "member" } },
  deleteScimGroupMapping: { query: "keep_members=true" },
  upsertWorkspaceBudget: { body: { limit_usd: 1 } },
  updateVideoWebhook: { body: { url: "https://example.com/" } },
  bulkAssignKeysToGuardrail: { body: { key_hashes: ["0".repeat(64)] } },
  bulkUnassignKeysFromGuardrail: { body: { key_hashes: ["0".repeat(64)] } },
  bulkAssignMembersToGuardrail: { body: { member_user_ids: ["ana"] } },
  bulkUnassignMembersFromGuardrail: { body: { member_user_ids: ["ana"] } },
  createPresetVersion: { body: { config: {} } },
  replayDestination: { body: { from: "2026-11-20T00:00:00Z" } },
  getGeneration: { query: "id=gen-nothing" },
  getGenerationContent: { query: "id=gen-nothing" },
  getDeliveryOutcome: { query: "generation_id=gen-nothing" },
  [`PUT ${scimBasePath}/Users/${id}`]: { body: { userName: "ana" } },
  [`PUT ${scimBasePath}/Groups/${id}`]: { body: { displayName: "Ana" } },
  [`PATCH ${scimBasePath}/Users/${id}`]: scimPatch({ active: true }),
  [`PATCH ${scimBasePath}/Groups/${id}`]: scimPatch({ displayName: "Ana" }),
};

/** Endpoints that take an id that nothing has, and why. */
const takesUnknown: Readonly<Record<string, string>> = {
  savePresetFromChat: "makes the preset where there is none",
  savePresetFromMessage: "makes the preset where there is none",
  savePresetFromResponse: "makes the preset where there is none",
  uploadFile: "reads its form first: files.test.ts has its workspace",
};

/** Endpoints that take a form as well as JSON. */
const takesForm = (name: string) => name === "createTranscription";

/** Whether a part of a request may have no members but those of its schema. */
function isStrict(schema: Endpoint["body"]): boolean {
  const { error } = schema === null ? {} : z.safeParse(schema, { surprise: 1 });
  return fieldIssues(error?.issues ?? []).issues.some(({ path }) => path === "surprise");
}

/** A model call passes on what it does not know. It reads no query, and what a client adds there does not stop it. */
const isModelCall = ({ auth, body }: Endpoint) => auth === "ordinary" && body !== null && !isStrict(body);

type Form = Endpoint["errorForm"] | "scim";

/** An endpoint of the contract, or of the SCIM server. */
interface Operation extends Pick<Endpoint, "name" | "method" | "bodyLimit"> {
  /** behind the gateway's address, with ids that nothing has */
  readonly path: string;
  readonly auth: Credential | "directory";
  readonly form: Form;
  readonly takes: "nothing" | "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";
  readonly strict: readonly ("query" | "body")[];
  readonly anyOrigin: boolean;
  readonly notFound: boolean;
  /** its query may name a workspace */
  readonly ofWorkspace: boolean;
}

const operations: readonly Operation[] = Object.values<Endpoint>(api).map((endpoint) => ({
  ...endpoint,
  path: `${basePath}${endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => unknownIds[name] ?? "nobody")}`,
  form: endpoint.errorForm,
  takes: endpoint.urlencoded
    ? "application/x-www-form-urlencoded"
    : endpoint.body !== null
      ? "application/json"
      : endpoint.form === null
        ? "nothing"
        : "multipart/form-data",
  strict: (["query", "body"] as const).filter(
    (part) => isStrict(endpoint[part]) && !(part === "query" && isModelCall(endpoint)),
  ),
  notFound:
    endpoint.errors.includes(404) &&
    (endpoint.path.includes("{") || rest[endpoint.name]?.query?.includes("gen-nothing") === true) &&
    !(endpoint.name in takesUnknown),
  ofWorkspace:
    endpoint.errors.includes(404) &&
    endpoint.query instanceof z.ZodMiniObject &&
    "workspace_id" in endpoint.query.shape &&
    !endpoint.path.includes("{") &&
    !(endpoint.name in takesUnknown),
}));

const scim = (method: Endpoint["method"], path: string): Operation => ({
  name: `${method} ${scimBasePath}${path}`,
  method,
  path: `${scimBasePath}${path}`,
  auth: "directory",
  form: "scim",
  bodyLimit: 4_194_304,
  takes: method === "GET" || method === "DELETE" ? "nothing" : "application/json",
  // Identity providers send members of their own.
  strict: [],
  anyOrigin: false,
  notFound: path.endsWith(id),
  ofWorkspace: false,
});
const scimOperations = [
  ...["/ServiceProviderConfig", "/ResourceTypes", "/Schemas", `/ResourceTypes/${id}`, `/Schemas/${id}`].map((path) =>
    scim("GET", path),
  ),
  ...["/Users", "/Groups"].flatMap((path) => [
    scim("GET", path),
    scim("POST", path),
    ...(["GET", "PUT", "PATCH", "DELETE"] as const).map((method) => scim(method, `${path}/${id}`)),
  ]),
];

const all = [...operations, ...scimOperations];
const rows = (chosen: (operation: Operation) => boolean) =>
  all.filter(chosen).map((operation) => [operation.name, operation] as const);

interface Sent {
  readonly query?: string | undefined;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describeGateway("every endpoint", (gateway) => {
  const key: Record<"ordinary" | "unknown" | "mistyped" | "disabled" | "expired" | "deleted" | "directory", string> = {
    ordinary: "",
    unknown: generateKey("ordinary"),
    mistyped: `${generateKey("management").slice(0, -1)}!`,
    disabled: "",
    expired: "",
    deleted: "",
    directory: "",
  };
  let browser: Record<string, string> = {};
  let before: ReadonlyMap<string, string> = new Map();

  beforeAll(async () => {
    const { call, managementKey, clock } = gateway();
    const make = async (body: object = {}) => await makeKey(gateway(), body);
    key.ordinary = (await make()).key;
    const expiring = await make({ expires_at: new Date(clock.now().getTime() + 60_000).toISOString() });
    const [disabled, deleted] = [await make(), await make()];
    await call("PATCH", `/keys/${disabled.record.hash}`, { body: { disabled: true } });
    await call("DELETE", `/keys/${deleted.record.hash}`);
    clock.advance(60_000);
    [key.expired, key.disabled, key.deleted] = [expiring.key, disabled.key, deleted.key];
    key.directory = (await connectDirectory(gateway())).token;
    const session = await call("POST", "/session", { key: null, body: { management_key: managementKey } });
    const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    browser = { cookie, origin: gateway().url, "x-csrf-token": session.json.data.csrf_token };
    before = await contents();
  });

  /** What each table holds, but what a credential's use and a refused call leave behind. */
  async function contents(): Promise<ReadonlyMap<string, string>> {
    const { pool } = gateway().deps.store;
    const names = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'refused_calls' order by 1",
    );
    const found = new Map<string, string>();
    for (const { name } of names.rows) {
      const row = `(to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text`;
      const sum = `select count(*) || ' ' || md5(coalesce(string_agg(${row}, ' ' order by ${row}), '')) as sum from ${name} t`;
      found.set(name, (await pool.query<{ sum: string }>(sum)).rows[0]?.sum ?? "");
    }
    return found;
  }
  /** The key that an operation is for; null: it needs none, or a session. */
  const keyFor = ({ auth }: Operation): string | null => {
    const { managementKey } = gateway();
    const { ordinary, directory } = key;
    return { ordinary, directory, management: managementKey, any: managementKey, none: null, session: null }[auth];
  };

  /** Sends a request with a key (null: none), by default with the credential that the operation is for. */
  async function send(operation: Operation, sent: Sent, by?: string | null): Promise<Answer> {
    const { query, headers, ...body } = sent;
    const path = `/../..${operation.path}${query === undefined ? "" : `?${query}`}`;
    const session = by === undefined && operation.auth === "session" ? browser : {};
    const credential = by === undefined ? keyFor(operation) : by;
    return await gateway().call(operation.method, path, {
      key: credential,
      ...body,
      headers: { ...session, ...headers },
    });
  }
  /** Expects that a request is refused in the operation's form. */
  async function expectRefused(
    operation: Operation,
    [type, message]: readonly [ErrorType, RegExp],
    sent: Sent = {},
    by?: string | null,
  ): Promise<Answer> {
    const refused = await send(operation, sent, by);
    expectRefusal(refused, operation.form, type, message);
    return refused;
  }
  const right = ({ name, takes }: Operation): Sent => ({
    query: rest[name]?.query,
    ...(takes === "application/json" && { body: rest[name]?.body ?? {} }),
  });

  describe("401", () => {
    it.each(rows(({ auth }) => auth !== "none"))("%s: without a credential", async (_, operation) => {
      await expectRefused(operation, ["authentication", /^(Missing Auth|Not signed|Send)/], {}, null);
    });

    it.each(rows(({ auth }) => ["management", "ordinary", "any"].includes(auth)))(
      "%s: with one that cannot be used, and says why",
      async (_, operation) => {
        for (const [kind, message] of [
          ["unknown", /not known here/],
          ["mistyped", /checksum does not match/],
          ["disabled", /is disabled/],
          ["expired", /expired on/],
          ["deleted", /deleted on/],
          ["directory", /opens \/scim\/v2 and nothing else/],
        ] as const) {
          const refused = await expectRefused(operation, ["authentication", message], {}, key[kind]);
          expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="Gatehouse"');
        }
      },
    );

    it.each(rows(({ auth }) => auth === "session"))("%s: with a key, and a made-up cookie", async (_, operation) => {
      await expectRefused(operation, ["authentication", /^Not signed/], {}, gateway().managementKey);
      await expectRefused(
        operation,
        ["authentication", /ended/],
        { headers: { cookie: "gatehouse_session=abc" } },
        null,
      );
    });

    it.each(rows(({ auth }) => auth === "ordinary"))("%s: with a session", async (_, operation) => {
      await expectRefused(operation, ["authentication", /^Missing/], { headers: browser }, null);
    });

    it.each(rows(({ auth }) => auth === "directory"))("%s: with a key, or an unknown token", async (_, operation) => {
      for (const other of [gateway().managementKey, key.ordinary, generateKey("scim")]) {
        await expectRefused(operation, ["authentication", /./], {}, other);
      }
    });
  });

  describe("403", () => {
    it.each(rows(({ auth }) => auth === "management"))("%s: with an ordinary key", async (_, operation) => {
      await expectRefused(
        operation,
        ["permission_denied", /^Only management keys can/],
        right(operation),
        key.ordinary,
      );
    });

    it.each(rows(({ auth }) => auth === "ordinary"))("%s: with a management key", async (_, operation) => {
      const { managementKey } = gateway();
      await expectRefused(
        operation,
        ["permission_denied", /^A management key cannot/],
        right(operation),
        managementKey,
      );
    });

    it.each(rows(({ auth, method }) => ["management", "any", "session"].includes(auth) && method !== "GET"))(
      "%s: with a session whose page another site may have made",
      async (_, operation) => {
        const { cookie = "", origin = "", "x-csrf-token": token = "" } = browser;
        for (const headers of [
          { cookie, origin },
          { cookie, origin, "x-csrf-token": "x".repeat(token.length) },
          { cookie, origin: "http://evil.example", "x-csrf-token": token },
          { cookie, origin: "null", "x-csrf-token": token },
        ]) {
          const why = ["permission_denied", /X-CSRF-Token|another origin/] as const;
          await expectRefused(operation, why, { ...right(operation), headers }, null);
        }
      },
    );

    it.each(rows(({ auth, method, anyOrigin }) => auth === "none" && method !== "GET" && !anyOrigin))(
      "%s: from a page of another origin",
      async (_, operation) => {
        const headers = { origin: "https://evil.example" };
        await expectRefused(operation, ["permission_denied", /another origin, https:\/\/evil.example/], { headers });
      },
    );
  });

  describe("404", () => {
    it.each(rows(({ notFound }) => notFound))("%s: an unknown id", async (_, operation) => {
      const message = /There is no|No provider|Nothing has|has no preset/;
      await expectRefused(operation, ["not_found", message], right(operation));
    });

    it.each(rows(({ ofWorkspace }) => ofWorkspace))("%s: an unknown workspace", async (_, operation) => {
      const { query = "", ...sent } = right(operation);
      const named = { ...sent, query: `${query}&workspace_id=${id}` };
      await expectRefused(operation, ["not_found", /There is no workspace/], named);
    });
  });

  describe("405", () => {
    it.each([...Map.groupBy(operations, ({ path }) => path)])(
      "%s: a method that the path does not have",
      async (path, sharing) => {
        const methods = sharing.map(({ method }) => method);
        const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted().join(", ");
        const [first] = sharing as [Operation];
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
          if (methods.includes(method)) continue;
          const why = ["method_not_allowed", new RegExp(`^${method} is not a method of this path`)] as const;
          const refused = await expectRefused({ ...first, method }, why, {}, null);
          expect(refused.headers.get("allow")).toBe(allow);
        }
        const options = await gateway().call("OPTIONS", `/../..${path}`, { key: null });
        expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
      },
    );
  });

  describe("413", () => {
    /** Announces a body and sends none of it. */
    async function announce(operation: Operation, bytes: number): Promise<Answer> {
      const credential = keyFor(operation);
      const headers = {
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...(operation.auth === "session" ? browser : {}),
        "content-type": operation.takes === "nothing" ? "application/json" : `${operation.takes}; boundary=x`,
        "content-length": bytes,
      };
      const url = `${gateway().url}${operation.path}`;
      const sent = httpRequest(url, { method: operation.method, headers, agent: false });
      sent.flushHeaders();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      const body = await text(response);
      sent.on("error", () => {}).destroy();
      const answered = new Headers(response.headers as Record<string, string>);
      return { status: response.statusCode ?? 0, headers: answered, text: body, json: JSON.parse(body) };
    }

    it.each(rows(({ method }) => method !== "GET"))(
      "%s: a body that is too large, before it is read",
      async (_, operation) => {
        const { bodyLimit, form } = operation;
        const refused = await announce(operation, bodyLimit + 1);
        const most = bodyLimit < 1_048_576 ? `${bodyLimit / 1_024} kB` : `${bodyLimit / 1_048_576} MB`;
        const message = new RegExp(`too large: this endpoint takes at most ${most}$`);
        expectRefusal(refused, form, "payload_too_large", message);
        expect(refused.headers.get("connection")).toBe("close");
      },
    );
  });

  describe("400", () => {
    it.each(rows(({ takes }) => takes === "application/json"))("%s: no JSON, or no body", async (_, operation) => {
      await expectRefused(operation, ["invalid_request", /not valid JSON/], { raw: "{oops}" });
      await expectRefused(operation, ["invalid_request", /body is missing/]);
    });

    it.each(rows(({ method }) => method !== "GET"))("%s: a body of another media type", async (_, operation) => {
      const taken = operation.takes === "nothing" ? "application/json" : operation.takes;
      const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "nonsense"];
      for (const type of types.filter((other) => !other.startsWith(taken))) {
        if (takesForm(operation.name) && type.startsWith("multipart/")) continue;
        const why = ["invalid_request", new RegExp(`^Content-Type must be ${taken}`)] as const;
        await expectRefused(operation, why, { raw: "{}", headers: { "content-type": type } });
      }
    });

    const expectSurpriseNamed = async (operation: Operation, sent: Sent) => {
      const { json } = await expectRefused(operation, ["invalid_request", /./], sent);
      const { issues } = (json.error.metadata ?? json.metadata) as { issues: { path: string }[] };
      expect(issues.map(({ path }) => path)).toContain("surprise");
    };

    it.each(rows(({ strict }) => strict.includes("body")))("%s: an unknown member", async (_, operation) => {
      await expectSurpriseNamed(operation, { body: { ...rest[operation.name]?.body, surprise: 1 } });
    });

    it.each(rows(({ strict }) => strict.includes("query")))("%s: an unknown query parameter", async (_, operation) => {
      const { query = "", ...sent } = right(operation);
      await expectSurpriseNamed(operation, { ...sent, query: `${query}&surprise=1` });
    });
  });

  it("changes nothing where it refuses", async () => {
    expect(await contents()).toEqual(before);
  });
});
