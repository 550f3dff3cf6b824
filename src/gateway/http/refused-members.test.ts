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

type Rows = readonly (readonly [sent: unknown, ...paths: string[]])[];

/** A right body, and wrong values of its members: each is refused for that member. */
function wrongOf(right: object, values: Readonly<Record<string, readonly unknown[]>>): Rows {
  const wrong = Object.entries(values).flatMap(([member, all]) =>
    all.map((value) => [{ ...right, [member]: value }, member] as const),
  );
  return [[right], ...wrong];
}

const model = { id: "acme/embed", upstream_id: "embed", type: "embedding" };
const provider = { slug: "acme", name: "Acme", kind: "openai-compatible", models: [model] };
const destination = { name: "A", type: "langfuse", config: {} };
const filter = (more: object) => ({
  name: "A",
  content_filter_builtins: [{ slug: "email", action: "block", ...more }],
});
const pattern = (text: string) => ({ name: "A", content_filters: [{ pattern: text, action: "block" }] });
const preset = (config: object) => ({ slug: "a", config });
const tool = { type: "mcp", server_label: "a", server_url: "https://example.com" };
const canary = { provider: "acme", model: "acme/embed" };
const rule = { field: "mood", operator: "equals", value: "x" };

const bodies: Partial<Record<EndpointName, Rows>> = {
  createKey: [
    ...wrongOf(
      { name: "a" },
      {
        name: ["", "   ", 1, "x".repeat(256), "nul\0", "half \ud800 pair"],
        limit: [-1, 1e12, "5", 1e-10],
        limit_reset: ["yearly"],
        include_byok_in_limit: ["yes"],
        expires_at: ["2027-01-31T00:00:00+01:00", "2027-01-31", "2027-02-30T00:00:00Z"],
        creator_user_id: [""],
        workspace_id: ["here"],
        labels: [[]],
      },
    ),
    [{}, "name"],
    [{ name: "a", external: {} }, "external.user"],
    [{ name: "a", external: { user: "u", apiKey: "x".repeat(32) } }, "external.apiKey"],
    [{ limit: -1, colour: "red" }, "name", "limit", "colour"],
    [["a"], ""],
  ],
  updateKey: wrongOf({}, { name: [""], disabled: [null], limit: [-0.5], hash: [hash] }),
  rotateKey: [...wrongOf({ grace_seconds: 0 }, { grace_seconds: [-1, 2_592_001, 1.5] }), [{}, "grace_seconds"]],
  createManagementKey: [...wrongOf({ name: "a" }, { limit: [5] }), [{}, "name"]],
  updateManagementKey: wrongOf({}, { limit: [1] }),
  createWorkspace: [
    ...wrongOf(
      { name: "a", slug: "a" },
      {
        slug: ["Not a slug", "a--b", "all"],
        name: [" "],
        io_logging_sampling_rate: [2],
        io_logging_api_key_ids: [[12_345], []],
        colour: ["red"],
      },
    ),
    [{}, "name", "slug"],
  ],
  updateWorkspace: wrongOf({}, { slug: ["Not a slug"] }),
  addWorkspaceMembers: wrongOf({ user_ids: ["a"] }, { user_ids: [[]] }),
  removeWorkspaceMembers: wrongOf({ user_ids: ["a"] }, { user_ids: [Array.from({ length: 101 }, String)] }),
  upsertWorkspaceBudget: wrongOf({ limit_usd: 1 }, { limit_usd: [0] }),
  addCredits: wrongOf({ amount_usd: 1 }, { amount_usd: [0] }),
  createProvider: [
    ...wrongOf(provider, {
      slug: ["No Slug"],
      base_url: ["ftp://acme.example"],
      surprise: [true],
      api_key: ["sk-copied\n", "sk-“quoted”"],
      terms_of_service_url: ["javascript:alert(1)", "data:text/html,x", "//acme.example"],
    }),
    [{ ...provider, models: [{ ...model, pricing: { prompt: "cheap" } }] }, "models.0.pricing.prompt"],
    [{ ...provider, models: [{ ...model, id: "embed-small" }] }, "models.0.id"],
  ],
  createByokKey: wrongOf(
    { provider: "acme", key: "sk-1" },
    { key: ["", "sk-new-9876543210\n"], allowed_api_key_hashes: [[]] },
  ),
  updateByokKey: wrongOf({}, { sort_order: [-1], key: ["sk-new-9876543210\n"] }),
  createCanary: wrongOf(canary, { every_hours: [0], texts: [["mine"]] }),
  createGuardrail: [
    ...wrongOf(
      { name: "A", allowed_data_regions: ["global", "us"] },
      {
        limit: [5],
        limit_usd: [-1],
        allowed_models: [[]],
        ignored_providers: [Array.from({ length: 501 }, () => "a")],
        name: [" "],
        allowed_data_regions: [["europe"]],
        content_filter_builtins: [["block", "flag"].map((action) => ({ slug: "email", action }))],
      },
    ),
    [pattern(""), "content_filters.0.pattern"],
    [pattern("a".repeat(100_001)), "content_filters.0.pattern"],
    [filter({ slug: "iban" }), "content_filter_builtins.0.slug"],
    [filter({ scan_scope: "user_only" }), "content_filter_builtins.0.scan_scope"],
  ],
  bulkAssignKeysToGuardrail: [
    [{ key_hashes: ["short"] }, "key_hashes.0"],
    [{ key_hashes: [] }, "key_hashes"],
  ],
  bulkUnassignKeysFromGuardrail: wrongOf({ key_hashes: [hash] }, { key_hashes: [[]] }),
  bulkAssignMembersToGuardrail: [[{ member_user_ids: [""] }, "member_user_ids.0"]],
  bulkUnassignMembersFromGuardrail: wrongOf({ member_user_ids: ["a"] }, { member_user_ids: [[]] }),
  tryContentFilters: wrongOf({ text: "a" }, { text: ["", "a".repeat(10_001), "\ud800"] }),
  createPreset: [
    ...wrongOf(preset({}), { slug: ["No"], config: [undefined], name: [" "], system_prompt: ["x".repeat(32_769)] }),
    [preset({ messages: [] }), "config.messages"],
    [preset({ model: "a@preset/b" }), "config.model"],
    [preset({ max_tokens: 0 }), "config.max_tokens"],
    [preset({ plugins: [{ a: "x".repeat(32_768) }] }), "config"],
    // Every key of the workspace reads what a provider would sign in with.
    [preset({ tools: [{ ...tool, authorization: "secret-1234" }] }), "config.tools.0.authorization"],
    [preset({ tools: [{ ...tool, headers: { "x-key": "secret-1234" } }] }), "config.tools.0.headers"],
  ],
  updatePreset: wrongOf({}, { status: ["gone"], designated_version: [2_147_483_648] }),
  createDestination: [
    ...wrongOf(destination, {
      type: ["carrier-pigeon"],
      name: [" "],
      sampling_rate: [0, 1.01, 0.00009],
      api_key_hashes: [[], "all"],
      privacy_mode: ["on"],
    }),
    [{ ...destination, filter_rules: { groups: [{ rules: [rule] }] } }, "filter_rules.groups.0.rules.0.field"],
    [{ ...destination, filter_rules: {} }, "filter_rules.groups"],
  ],
  updateDestination: wrongOf(
    { sampling_rate: 0.0001 },
    { sampling_rate: [0.00001, "1"], api_key_hashes: [[]], type: ["webhook"] },
  ),
  replayDestination: wrongOf({ from: "2026-11-20T00:00:00Z" }, { from: ["yesterday"] }),
};

const queries: Partial<Record<EndpointName, Rows>> = {
  listKeys: [
    ...wrongOf(
      { sort: "name", order: "asc", q: "a" },
      { status: ["odd"], workspace_id: ["x"], include_disabled: ["perhaps"], colour: ["red"], limit: [["1", "2"]] },
    ),
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

const params: Partial<Record<EndpointName, Rows>> = {
  getWorkspace: [[{ id: "x".repeat(101) }, "id"]],
  getDestination: [[{ id: "one" }, "id"]],
  getPreset: wrongOf({ slug: "a" }, { slug: ["Mail", "a--b", "-a", "a".repeat(65)] }),
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
