import { describe, expect, it } from "vitest";
import { makeContext } from "../testing/context.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import * as audit from "./audit.ts";
import type { Context } from "./context.ts";
import * as destinations from "./destinations/destinations.ts";
import * as managementKeys from "./instance/management-keys.ts";
import * as keys from "./keys/keys.ts";
import { given, patched, pick } from "./patch.ts";
import * as byok from "./providers/byok.ts";
import * as providers from "./providers/providers.ts";
import * as budgets from "./workspaces/budgets.ts";
import * as workspaces from "./workspaces/workspaces.ts";

describe("a row as a PATCH leaves it", () => {
  const before = { name: "a", limit: 5n as bigint | null, at: new Date(1), list: ["x"] as string[] | null };

  it("keeps what is absent or undefined, and clears what is null", () => {
    expect(patched(before, { name: "b", limit: undefined, list: null })).toEqual({ ...before, name: "b", list: null });
    expect(given({ name: undefined, limit: null })).toEqual({ limit: null });
    expect(pick(before, { name: "", at: null })).toEqual({ name: "a", at: before.at });
  });

  it("is the row itself where every value is the one it has", () => {
    expect(patched(before, {})).toBe(before);
    expect(patched(before, { name: "a", limit: 5n, at: new Date(1), list: ["x"] })).toBe(before);
    expect(patched(before, { at: new Date(2) })).not.toBe(before);
  });

  it("takes objects with the same members in another order for the same", () => {
    const row = { rules: { logic: "and", field: "model" } };
    expect(patched(row, { rules: { field: "model", logic: "and" } })).toBe(row);
  });
});

/** Something that was made, and three PATCHes of it. */
interface Made {
  /** as the audit log names it */
  id: string;
  empty: () => Promise<unknown>;
  same: () => Promise<unknown>;
  change: () => Promise<unknown>;
}

/** @param same what a client that sends back what it read would send */
function made<Body>(
  id: string,
  patch: (body: Partial<Body>) => Promise<unknown>,
  { same, change }: { same: Partial<Body>; change: Partial<Body> },
): Made {
  return { id, empty: () => patch({}), same: () => patch(same), change: () => patch(change) };
}

type Body<Verb extends (ctx: never, id: string, body: never, ...rest: never[]) => unknown> = Parameters<Verb>[2];

describeGateway("a PATCH of", (gateway) => {
  const context = () => makeContext(gateway().deps);
  const provider = async (ctx: Context, slug: string) =>
    await providers.create(ctx, {
      slug,
      name: "Acme",
      kind: "openai-compatible",
      base_url: "http://127.0.0.1:9/v1",
      api_key: "sk-a-long-enough-secret",
      options: { timeout_seconds: 5 },
      models: [
        {
          id: `${slug}/embed`,
          upstream_id: "embed",
          type: "embedding",
          dimensions: 8,
          dimensions_range: { minimum: 1, maximum: 8 },
          pricing: { prompt: "0.1", image: "1" },
        },
      ],
    });

  const verbs: Record<string, (ctx: Context) => Promise<Made>> = {
    "an API key": async (ctx) => {
      const { data } = await keys.create(ctx, { name: "still", limit: 3.5, expires_at: "2099-01-01T00:00:00Z" });
      const { name, disabled, limit, limit_reset, include_byok_in_limit, expires_at, requests_per_minute } = data;
      return made<Body<typeof keys.update>>(data.hash, (body) => keys.update(ctx, data.hash, body), {
        same: { name, disabled, limit, limit_reset, include_byok_in_limit, expires_at, requests_per_minute },
        change: { limit: null },
      });
    },
    "a management key": async (ctx) => {
      const { data } = await managementKeys.create(ctx, { name: "maria" }, null);
      return made<Body<typeof managementKeys.update>>(
        data.hash,
        (body) => managementKeys.update(ctx, data.hash, body),
        {
          same: { name: "maria", disabled: false, expires_at: null },
          change: { disabled: true },
        },
      );
    },
    "a workspace": async (ctx) => {
      const { data } = await workspaces.create(ctx, { name: "Lab", slug: "lab", requests_per_minute: 60 });
      return made<Body<typeof workspaces.update>>(data.id, (body) => workspaces.update(ctx, data.id, body), {
        same: { name: "Lab", slug: "lab", description: null, requests_per_minute: 60, io_logging_sampling_rate: 1 },
        change: { requests_per_minute: null },
      });
    },
    "a provider key": async (ctx) => {
      await provider(ctx, "acme-byok");
      const key = await byok.create(ctx, {
        provider: "acme-byok",
        key: "sk-own-long-enough",
        allowed_models: ["a/b"],
      });
      return made<Body<typeof byok.update>>(key.id, (body) => byok.update(ctx, key.id, body), {
        same: { key: "sk-own-long-enough", name: null, disabled: false, allowed_models: ["a/b"], sort_order: 0 },
        change: { key: "sk-own-another-secret" },
      });
    },
    "a provider": async (ctx) => {
      const stored = await provider(ctx, "acme");
      const { name, base_url, preset, zdr, position, options, status_page_url, models } = stored;
      return made<Body<typeof providers.update>>("acme", (body) => providers.update(ctx, "acme", body), {
        same: {
          name,
          base_url: base_url ?? "",
          preset,
          zdr,
          position,
          options,
          status_page_url,
          api_key: "sk-a-long-enough-secret",
          models: models as never,
        },
        change: { api_key: null },
      });
    },
    "a destination": async (ctx) => {
      const { data } = await destinations.create(ctx, {
        name: "hook",
        type: "webhook",
        config: { url: "https://hook.example.com", headers: { "X-Token": "a-long-enough-secret" } },
        filter_rules: { groups: [{ logic: "and", rules: [{ field: "model", operator: "equals", value: "a" }] }] },
      });
      const { name, config, filter_rules, privacy_mode, sampling_rate, regions } = data;
      return made<Body<typeof destinations.update>>(data.id, (body) => destinations.update(ctx, data.id, body, null), {
        same: { name, config, filter_rules, privacy_mode, sampling_rate, regions },
        change: { config: { headers: { "X-Token": "another-long-secret" } } },
      });
    },
  };

  /** What other processes were told while something ran. */
  async function toldOf(ctx: Context, work: () => Promise<unknown>): Promise<string[]> {
    const { notices } = ctx.store;
    const send = notices.send;
    const told: string[] = [];
    notices.send = async (channel, ...payloads) => {
      told.push(channel);
      await send(channel, ...payloads);
    };
    try {
      await work();
    } finally {
      notices.send = send;
    }
    return told;
  }

  it.each(Object.entries(verbs))("%s that changes nothing writes no audit row and wakes nobody", async (_, make) => {
    const ctx = context();
    const { id, empty, same, change } = await make(ctx);
    const rows = async () => (await audit.list(ctx, { target_id: id })).data.length;
    expect(await rows()).toBe(1);
    expect(await toldOf(ctx, empty)).toEqual([]);
    expect(await toldOf(ctx, same)).toEqual([]);
    expect(await rows()).toBe(1);
    expect(await toldOf(ctx, change)).not.toEqual([]);
    expect(await rows()).toBe(2);
  });

  it("a budget, which is set by PUT, that changes nothing does the same", async () => {
    const ctx = context();
    const { data } = await workspaces.create(ctx, { name: "Budgeted", slug: "budgeted" });
    const put = (limit: number) => budgets.put(ctx, { id: data.id, interval: "daily" }, { limit_usd: limit });
    const rows = async () => (await audit.list(ctx, { target_id: `${data.id}/daily` })).data.length;
    const first = await put(5);
    expect(await rows()).toBe(1);
    gateway().clock.advance(1_000);
    expect(await toldOf(ctx, async () => expect(await put(5)).toEqual(first))).toEqual([]);
    expect(await toldOf(ctx, () => budgets.remove(ctx, { id: data.id, interval: "weekly" }))).toEqual([]);
    expect(await rows()).toBe(1);
    expect(await toldOf(ctx, () => put(6))).not.toEqual([]);
    expect(await rows()).toBe(2);
  });

  it("a destination opens its secrets once, and seals them only where they change", async () => {
    const ctx = context();
    const { data } = await destinations.create(ctx, {
      name: "sealed",
      type: "webhook",
      config: { url: "https://hook.example.com", headers: { "X-Token": "a-long-enough-secret" } },
    });
    const counts = { open: 0, seal: 0 };
    const secrets = {
      ...ctx.secrets,
      open: (text: string, aad: string) => ((counts.open += 1), ctx.secrets.open(text, aad)),
      seal: (text: string, aad: string) => ((counts.seal += 1), ctx.secrets.seal(text, aad)),
    };
    const update = (body: Body<typeof destinations.update>) =>
      destinations.update({ ...ctx, secrets }, data.id, body, null);
    await update({ name: "renamed", config: { headers: { "X-Token": "a-long-enough-secret" } } });
    expect(counts).toEqual({ open: 1, seal: 0 });
    await update({ config: { headers: { "X-Token": "another-long-secret" } } });
    expect(counts).toEqual({ open: 2, seal: 1 });
  });
});
