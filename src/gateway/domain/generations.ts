import type { Selectable } from "kysely";
import type { GenerationContent, GenerationRecord } from "#contract/generations.ts";
import { toUsd } from "#contract/money.ts";
import type { LedgerTable } from "../storage/ledger-tables.ts";
import type { Context } from "./context.ts";
import { type KeptBody, saidIn } from "./forwarded-events.ts";
import { instantOfGeneration } from "./generation-id.ts";
import type { Attempt } from "./ledger-entry.ts";
import { notFound } from "./refusal.ts";

/** One call, of the caller's own workspace, or of any for a management key. */
export async function get(ctx: Context, id: string): Promise<{ data: GenerationRecord }> {
  const row = await find(ctx, id);
  const provider = await ctx.store.db
    .selectFrom("providers")
    .select("name")
    .where("slug", "=", row.provider)
    .executeTakeFirst();
  return { data: record(row, provider?.name ?? (row.provider === "" ? null : row.provider)) };
}

/** The place that a call's bodies are sealed for. */
export function contentPlace(id: string): string {
  return `generation:${id}`;
}

export async function content(ctx: Context, id: string): Promise<{ data: GenerationContent }> {
  const row = await find(ctx, id);
  const kept = await ctx.store.db
    .selectFrom("generation_contents")
    .select("sealed")
    .where("workspace_id", "=", row.workspace_id)
    .where("created_at", "=", row.created_at)
    .where("id", "=", id)
    .executeTakeFirst();
  if (kept === undefined) throw notFound("The bodies of this call were not kept: its workspace did not ask for that");
  const body = JSON.parse(ctx.secrets.open(kept.sealed, contentPlace(id))) as KeptBody;
  return { data: contentOf(row.api_type, body) };
}

function contentOf(type: Selectable<LedgerTable>["api_type"], { input, output, error }: KeptBody): GenerationContent {
  const completion = output === null ? "" : saidIn(output);
  const chat = type === "completions";
  const prompt = input.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n");
  return {
    input: { prompt: chat ? "" : prompt, messages: chat ? [...input] : [] },
    output: { completion: completion === "" ? null : completion, reasoning: null },
    error,
  };
}

export function missingGeneration() {
  return notFound("There is no generation with this id");
}

/** The instant in the id and the workspaces lead to the ledger's key: no index on the id alone is needed. */
async function find(ctx: Context, id: string): Promise<Selectable<LedgerTable>> {
  const at = instantOfGeneration(id);
  const missing = missingGeneration();
  if (at === null) throw missing;
  const own = ctx.actor.kind === "ordinary" ? ctx.actor.workspaceId : null;
  const row = await ctx.store.db
    .selectFrom("ledger")
    .selectAll()
    .where((where) =>
      own === null
        ? where("workspace_id", "in", where.selectFrom("workspaces").select("id"))
        : where("workspace_id", "=", own),
    )
    .where("created_at", "=", at)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw missing;
  return row;
}

function record(row: Selectable<LedgerTable>, providerName: string | null): GenerationRecord {
  const attempts = row.attempts as Attempt[];
  return {
    id: row.id,
    api_type: row.api_type,
    created_at: row.created_at.toISOString(),
    model: row.model,
    provider_name: providerName,
    total_cost: toUsd(row.cost),
    usage: toUsd(row.cost),
    upstream_inference_cost: row.byok ? toUsd(row.byok_cost) : null,
    cache_discount: row.saved > 0n ? toUsd(row.saved) : null,
    is_byok: row.byok,
    tokens_prompt: row.prompt_tokens,
    tokens_completion: row.completion_tokens,
    native_tokens_prompt: row.prompt_tokens,
    native_tokens_completion: row.completion_tokens,
    native_tokens_reasoning: row.reasoning_tokens,
    native_tokens_cached: row.cached_tokens,
    native_tokens_completion_images: null,
    latency: row.latency_ms,
    generation_time: row.duration_ms,
    streamed: row.streamed,
    cancelled: row.cancelled,
    finish_reason: row.finish_reason,
    native_finish_reason: row.native_finish_reason,
    upstream_id: row.upstream_id,
    request_id: row.request_id,
    session_id: row.session_id,
    external_user: row.external_user,
    user_agent: row.user_agent,
    http_referer: row.http_referer,
    origin: row.http_referer ?? "",
    workspace_id: row.workspace_id,
    provider_responses: attempts.map((attempt) => ({
      provider_name: attempt.provider,
      model_permaslug: attempt.model,
      endpoint_id: `${attempt.provider}/${attempt.model}`,
      status: attempt.status,
      latency: attempt.latency_ms,
      is_byok: attempt.is_byok,
    })),
    data_region: "global",
    app_id: null,
    moderation_latency: null,
    num_fetches: null,
    num_input_audio_prompt: null,
    num_media_completion: null,
    num_media_prompt: null,
    num_search_results: null,
    preset_id: null,
    response_cache_source_id: null,
    router: null,
    service_tier: null,
    web_search_engine: null,
    metered_by: row.metered_by,
    priced: row.priced,
    status: row.status,
    error_type: row.error_type,
  };
}
