import { describe, expect, it } from "vitest";
import { api, type EndpointName } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { Refusal } from "../domain/refusal.ts";
import { parseRequest } from "./parse.ts";

const hash = "0".repeat(64);
const id = "00000000-0000-4000-8000-000000000000";
const valid = { hash, id, slug: "a", interval: "daily", version: "1" };

interface Sent {
  body?: unknown;
  query?: object;
  params?: object;
}

/** The members that a request is refused for. */
async function refusedOf(name: EndpointName, { body, query = {}, params }: Sent): Promise<string[]> {
  const endpoint = api[name] as Endpoint;
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => each);
  const own = params ?? Object.fromEntries(names.map((each) => [each, valid[each as keyof typeof valid]]));
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const error: unknown = await parseRequest(endpoint, { params: own, query, body: bytes }, "").catch(
    (reason) => reason,
  );
  if (!(error instanceof Refusal)) return [];
  expect(error.status).toBe(400);
  return (error.details["issues"] as { path: string }[]).map(({ path }) => path);
}

const model = { id: "acme/embed", upstream_id: "embed", type: "embedding" };
const provider = (more: object) => ({
  slug: "acme",
  name: "Acme",
  kind: "openai-compatible",
  models: [model],
  ...more,
});
const guardrail = (more: object) => ({ name: "A", ...more });
const destination = (more: object) => ({ name: "A", type: "langfuse", config: {}, ...more });
const filter = (more: object) => ({ content_filter_builtins: [{ slug: "email", action: "block", ...more }] });
const tool = { type: "mcp", server_label: "a", server_url: "https://example.com" };

const bodies: Partial<Record<EndpointName, [body: unknown, ...paths: string[]][]>> = {
  createKey: [
    [{ name: "a" }],
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: "   " }, "name"],
    [{ name: 1 }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ name: "nul\0" }, "name"],
    [{ name: "half \ud800 pair" }, "name"],
    [{ name: "a", limit: -1 }, "limit"],
    [{ name: "a", limit: 1e12 }, "limit"],
    [{ name: "a", limit: "5" }, "limit"],
    [{ name: "a", limit: 1e-10 }, "limit"],
    [{ name: "a", limit_reset: "yearly" }, "limit_reset"],
    [{ name: "a", include_byok_in_limit: "yes" }, "include_byok_in_limit"],
    [{ name: "a", expires_at: "2027-01-31T00:00:00+01:00" }, "expires_at"],
    [{ name: "a", expires_at: "2027-01-31" }, "expires_at"],
    [{ name: "a", expires_at: "2027-02-30T00:00:00Z" }, "expires_at"],
    [{ name: "a", creator_user_id: "" }, "creator_user_id"],
    [{ name: "a", workspace_id: "here" }, "workspace_id"],
    [{ name: "a", external: {} }, "external.user"],
    [{ name: "a", external: { user: "u", apiKey: "x".repeat(32) } }, "external.apiKey"],
    [{ name: "a", labels: [] }, "labels"],
    [{ limit: -1, colour: "red" }, "name", "limit", "colour"],
    [["a"], ""],
  ],
  updateKey: [
    [{ name: "" }, "name"],
    [{ disabled: null }, "disabled"],
    [{ limit: -0.5 }, "limit"],
    [{ hash }, "hash"],
  ],
  rotateKey: [
    [{ grace_seconds: 0 }],
    [{}, "grace_seconds"],
    [{ grace_seconds: -1 }, "grace_seconds"],
    [{ grace_seconds: 2_592_001 }, "grace_seconds"],
    [{ grace_seconds: 1.5 }, "grace_seconds"],
  ],
  createManagementKey: [
    [{}, "name"],
    [{ name: "a", limit: 5 }, "limit"],
  ],
  updateManagementKey: [[{ limit: 1 }, "limit"]],
  createWorkspace: [
    [{ name: "a", slug: "a" }],
    [{}, "name", "slug"],
    [{ name: "a", slug: "Not a slug" }, "slug"],
    [{ name: "a", slug: "a--b" }, "slug"],
    [{ name: "a", slug: "all" }, "slug"],
    [{ name: " ", slug: "a" }, "name"],
    [{ name: "a", slug: "a", io_logging_sampling_rate: 2 }, "io_logging_sampling_rate"],
    [{ name: "a", slug: "a", io_logging_api_key_ids: [12_345] }, "io_logging_api_key_ids"],
    [{ name: "a", slug: "a", io_logging_api_key_ids: [] }, "io_logging_api_key_ids"],
    [{ name: "a", slug: "a", colour: "red" }, "colour"],
  ],
  updateWorkspace: [[{ slug: "Not a slug" }, "slug"]],
  addWorkspaceMembers: [[{ user_ids: [] }, "user_ids"]],
  removeWorkspaceMembers: [[{ user_ids: Array.from({ length: 101 }, String) }, "user_ids"]],
  upsertWorkspaceBudget: [[{ limit_usd: 0 }, "limit_usd"]],
  addCredits: [[{ amount_usd: 0 }, "amount_usd"]],
  createProvider: [
    [provider({})],
    [provider({ slug: "No Slug" }), "slug"],
    [provider({ base_url: "ftp://acme.example" }), "base_url"],
    [provider({ models: [{ ...model, pricing: { prompt: "cheap" } }] }), "models.0.pricing.prompt"],
    [provider({ models: [{ ...model, id: "embed-small" }] }), "models.0.id"],
    [provider({ surprise: true }), "surprise"],
    [provider({ api_key: "sk-copied\n" }), "api_key"],
    [provider({ api_key: "sk-“quoted”" }), "api_key"],
    [provider({ terms_of_service_url: "javascript:alert(1)" }), "terms_of_service_url"],
    [provider({ terms_of_service_url: "data:text/html,x" }), "terms_of_service_url"],
    [provider({ terms_of_service_url: "//acme.example" }), "terms_of_service_url"],
  ],
  testProviderSettings: [[{ kind: "openai-compatible", surprise: true }, "surprise"]],
  createByokKey: [
    [{ provider: "acme", key: "" }, "key"],
    [{ provider: "acme", key: "sk-new-9876543210\n" }, "key"],
    [{ provider: "acme", key: "sk-1", allowed_api_key_hashes: [] }, "allowed_api_key_hashes"],
    [{ provider: "acme", key: "sk-1", surprise: 1 }, "surprise"],
  ],
  updateByokKey: [
    [{ sort_order: -1 }, "sort_order"],
    [{ key: "sk-new-9876543210\n" }, "key"],
  ],
  createCanary: [
    [{ provider: "acme", model: "acme/embed", every_hours: 0 }, "every_hours"],
    [{ provider: "acme", model: "acme/embed", texts: ["mine"] }, "texts"],
  ],
  createGuardrail: [
    [guardrail({ allowed_data_regions: ["global", "us"] })],
    [guardrail({ limit: 5 }), "limit"],
    [guardrail({ limit_usd: -1, reset_interval: "daily" }), "limit_usd"],
    [guardrail({ allowed_models: [] }), "allowed_models"],
    [guardrail({ ignored_providers: Array.from({ length: 501 }, () => "a") }), "ignored_providers"],
    [guardrail({ name: " " }), "name"],
    [guardrail({ allowed_data_regions: ["europe"] }), "allowed_data_regions"],
    [guardrail({ content_filters: [{ pattern: "", action: "block" }] }), "content_filters.0.pattern"],
    [guardrail({ content_filters: [{ pattern: "a".repeat(100_001), action: "block" }] }), "content_filters.0.pattern"],
    [guardrail(filter({ slug: "iban" })), "content_filter_builtins.0.slug"],
    [guardrail(filter({ scan_scope: "user_only" })), "content_filter_builtins.0.scan_scope"],
    [
      guardrail({ content_filter_builtins: ["block", "flag"].map((action) => ({ slug: "email", action })) }),
      "content_filter_builtins",
    ],
  ],
  bulkAssignKeysToGuardrail: [
    [{ key_hashes: ["short"] }, "key_hashes.0"],
    [{ key_hashes: [] }, "key_hashes"],
  ],
  bulkUnassignKeysFromGuardrail: [[{ key_hashes: [] }, "key_hashes"]],
  bulkAssignMembersToGuardrail: [[{ member_user_ids: [""] }, "member_user_ids.0"]],
  bulkUnassignMembersFromGuardrail: [[{ member_user_ids: [] }, "member_user_ids"]],
  tryContentFilters: [
    [{ text: "a" }],
    [{ text: "" }, "text"],
    [{ text: "a".repeat(10_001) }, "text"],
    [{ text: "\ud800" }, "text"],
  ],
  createPreset: [
    [{ slug: "a", config: {} }],
    [{ slug: "No", config: {} }, "slug"],
    [{ slug: "a" }, "config"],
    [{ slug: "a", config: { messages: [] } }, "config.messages"],
    [{ slug: "a", config: { model: "a@preset/b" } }, "config.model"],
    [{ slug: "a", config: { max_tokens: 0 } }, "config.max_tokens"],
    [{ slug: "a", config: { plugins: [{ a: "x".repeat(32_768) }] } }, "config"],
    [{ slug: "a", config: {}, name: " " }, "name"],
    [{ slug: "a", config: {}, system_prompt: "x".repeat(32_769) }, "system_prompt"],
    // Every key of the workspace reads what a provider would sign in with.
    [{ slug: "a", config: { tools: [{ ...tool, authorization: "secret-1234" }] } }, "config.tools.0.authorization"],
    [{ slug: "a", config: { tools: [{ ...tool, headers: { "x-key": "secret-1234" } }] } }, "config.tools.0.headers"],
  ],
  updatePreset: [
    [{ status: "gone" }, "status"],
    [{ designated_version: 2_147_483_648 }, "designated_version"],
  ],
  createDestination: [
    [destination({})],
    [destination({ type: "carrier-pigeon" }), "type"],
    [destination({ name: " " }), "name"],
    [destination({ sampling_rate: 0 }), "sampling_rate"],
    [destination({ sampling_rate: 1.01 }), "sampling_rate"],
    [destination({ sampling_rate: 0.00009 }), "sampling_rate"],
    [destination({ api_key_hashes: [] }), "api_key_hashes"],
    [destination({ api_key_hashes: "all" }), "api_key_hashes"],
    [
      destination({ filter_rules: { groups: [{ rules: [{ field: "mood", operator: "equals", value: "x" }] }] } }),
      "filter_rules.groups.0.rules.0.field",
    ],
    [destination({ filter_rules: {} }), "filter_rules.groups"],
    [destination({ privacy_mode: "on" }), "privacy_mode"],
    [destination({ colour: "red" }), "colour"],
  ],
  updateDestination: [
    [{ sampling_rate: 0.0001 }],
    [{ sampling_rate: 0.00001 }, "sampling_rate"],
    [{ sampling_rate: "1" }, "sampling_rate"],
    [{ api_key_hashes: [] }, "api_key_hashes"],
    [{ type: "webhook" }, "type"],
  ],
  replayDestination: [[{ from: "yesterday" }, "from"]],
};

const queries: Partial<Record<EndpointName, [query: object, ...paths: string[]][]>> = {
  listKeys: [
    [{ limit: "1", offset: "0", sort: "name", order: "asc", q: "a" }],
    [{ status: "odd" }, "status"],
    [{ workspace_id: "x" }, "workspace_id"],
    [{ include_disabled: "perhaps" }, "include_disabled"],
    [{ colour: "red" }, "colour"],
    [{ limit: ["1", "2"] }, "limit"],
    [{ q: "\0" }, "query.q"],
  ],
  countKeys: [[{ workspace_id: "x" }, "workspace_id"]],
  identifyKeys: [
    [{ hash: Array.from({ length: 50 }, () => hash).join(",") }],
    [{ hash: Array.from({ length: 51 }, () => hash).join(",") }, "hash"],
    [{ hash: "abc" }, "hash"],
  ],
  getKeyUsage: [[{ by: "day", last: "7" }], [{}, "by", "last"], [{ by: "hour", last: "169" }, "last"]],
  listKeyAssignments: [
    [{ key_hash: "c0ffee" }, "key_hash"],
    [{ key_hash: Array.from({ length: 51 }, () => hash).join(",") }, "key_hash"],
  ],
  listModels: [
    [{ sort: "prettiest" }, "sort"],
    [{ category: "cooking" }, "category"],
  ],
  listCanaries: [[{ model: "embed" }, "model"]],
  listAudit: [[{ since: "yesterday" }, "since"]],
  getActivity: [[{ date: "today" }, "date"]],
};

const params: Partial<Record<EndpointName, [params: object, ...paths: string[]][]>> = {
  getWorkspace: [[{ id: "x".repeat(101) }, "id"]],
  getDestination: [[{ id: "one" }, "id"]],
  getPreset: ["Mail", "a--b", "-a", "a".repeat(65)].map((slug) => [{ slug }, "slug"]),
  getPresetVersion: [
    [{ slug: "a", version: "last" }, "version"],
    [{ slug: "a", version: "0" }, "version"],
  ],
  getWorkspaceBudget: [[{ id: "a", interval: "yearly" }, "interval"]],
};

describe.each([
  ["body", bodies],
  ["query", queries],
  ["params", params],
] as const)("400: in the %s", (part, table) => {
  const rows = Object.entries(table).flatMap(([name, cases]) =>
    cases.map(([sent, ...paths]) => [name as EndpointName, JSON.stringify(sent).slice(0, 100), sent, paths] as const),
  );
  it.each(rows)("%s: %s", async (name, _, sent, paths) => {
    expect(await refusedOf(name, { [part]: sent })).toEqual(paths);
  });
});
