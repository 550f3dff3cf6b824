import type { Selectable } from "kysely";
import { type GenerationContent, type GenerationRecord, largestBody } from "#contract/generations.ts";
import { isConversation } from "#contract/api-type.ts";
import { toUsd } from "#contract/money.ts";
import type { Context } from "../context.ts";
import { type KeptBody, saidApart } from "../bodies/body.ts";
import { instantOfGeneration } from "../generation-id.ts";
import { type LedgerTable, ledgerRows } from "../ledger/columns.ts";
import { notFound, Refusal } from "../refusal.ts";
import { callBodyAad } from "../secrets/aad.ts";

/** One call, of the caller's own workspace, or of any workspace for a management key. */
export async function get(ctx: Context, id: string): Promise<{ data: GenerationRecord }> {
  const row = await find(ctx, id);
  const provider = await ctx.store.db
    .selectFrom("providers")
    .select("name")
    .where("slug", "=", row.provider)
    .executeTakeFirst();
  return { data: record(row, provider?.name ?? (row.provider === "" ? null : row.provider)) };
}

/** A call's bodies, for the key that made it, the keys that replaced that key, and management keys. */
export async function content(ctx: Context, id: string): Promise<{ data: GenerationContent }> {
  const row = await find(ctx, id);
  await refuseOtherKeys(ctx, row.spend_id);
  const kept = await ctx.store.db
    .selectFrom("generation_contents")
    .select("sealed")
    .where("workspace_id", "=", row.workspace_id)
    .where("created_at", "=", row.created_at)
    .where("id", "=", id)
    .executeTakeFirst();
  if (kept === undefined) {
    throw notFound(
      `The bodies of this call are not kept: its workspace did not ask for that, they had more than ${largestBody} characters, or they were deleted since`,
    );
  }
  const body = JSON.parse(ctx.secrets.open(kept.sealed, callBodyAad(id))) as KeptBody;
  return { data: contentOf(row.api_type, body) };
}

function contentOf(type: Selectable<LedgerTable>["api_type"], { input, output, error }: KeptBody): GenerationContent {
  const said = output === null ? { completion: null, reasoning: null } : saidApart(output);
  const chat = isConversation(type);
  const prompt = input.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n");
  return {
    input: { prompt: chat ? "" : prompt, messages: chat ? [...input] : [] },
    output: said,
    error,
  };
}

export function missingGeneration() {
  return notFound("There is no generation with this id");
}

/** A key and its replacements share one spending count, which no other key has. */
async function refuseOtherKeys(ctx: Context, spendId: string): Promise<void> {
  if (ctx.actor.kind !== "ordinary") return;
  const own = await ctx.store.db
    .selectFrom("api_keys")
    .select("spend_id")
    .where("hash", "=", ctx.actor.keyHash)
    .executeTakeFirst();
  if (own?.spend_id === spendId) return;
  const message = "Only the key that made this call, one that replaced it, or a management key can read what it said";
  throw new Refusal("permission_denied", message);
}

/**
 * One call, of the caller's own workspace, or of any workspace for a management key. The instant in the id and the
 * workspaces lead to the ledger's primary key, so the id needs no index of its own.
 * @throws Refusal not_found
 */
export async function find(ctx: Context, id: string): Promise<Selectable<LedgerTable>> {
  const at = instantOfGeneration(id);
  const missing = missingGeneration();
  if (at === null) throw missing;
  const own = ctx.actor.kind === "ordinary" ? ctx.actor.workspaceId : null;
  const row = await ledgerRows(ctx.store.db)
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

/** The public API knows chat by one name, in whichever form it is asked for, and media by names of its own. */
function publicType(type: Selectable<LedgerTable>["api_type"]): GenerationRecord["api_type"] {
  if (isConversation(type)) return "completions";
  if (type === "speech") return "tts";
  if (type === "images") return "image";
  if (type === "videos") return "video";
  return type === "transcriptions" ? "stt" : type;
}

function record(row: Selectable<LedgerTable>, providerName: string | null): GenerationRecord {
  return {
    id: row.id,
    api_type: publicType(row.api_type),
    created_at: row.created_at.toISOString(),
    model: row.model,
    provider_name: providerName,
    total_cost: toUsd(row.cost),
    usage: toUsd(row.cost),
    // An own key may have served a part of the call, or billed an attempt before the shared key served it.
    upstream_inference_cost: row.byok || row.byok_cost > 0n ? toUsd(row.byok_cost) : null,
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
    provider_responses: row.attempts.map((attempt) => ({
      provider_name: attempt.provider,
      model_permaslug: attempt.model,
      endpoint_id: `${attempt.provider}/${attempt.model}`,
      status: attempt.status,
      latency: attempt.latency_ms,
      is_byok: attempt.is_byok,
      ...(attempt.left_out === undefined ? {} : { left_out: attempt.left_out }),
      ...(attempt.cost !== undefined && { cost: attempt.cost }),
      ...(attempt.rate !== undefined && { rate: attempt.rate }),
    })),
    data_region: "global",
    app_id: null,
    moderation_latency: null,
    num_fetches: null,
    num_input_audio_prompt: null,
    num_media_completion: null,
    num_media_prompt: null,
    num_search_results: null,
    preset_id: row.preset_id,
    response_cache_source_id: row.response_cache_source_id,
    router: null,
    service_tier: null,
    web_search_engine: null,
    metered_by: row.metered_by,
    priced: row.priced,
    status: row.status,
    error_type: row.error_type,
  };
}
