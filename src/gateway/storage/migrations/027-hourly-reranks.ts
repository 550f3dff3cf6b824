import { type Kysely, sql } from "kysely";

/** Of an hour's calls, tokens and money, those of reranks: an embedding model has both, and only its embeddings are in an index. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table usage_hourly
      add column rerank_usage bigint not null default 0,
      add column rerank_byok_usage bigint not null default 0,
      add column rerank_requests bigint not null default 0,
      add column rerank_prompt_tokens bigint not null default 0`.execute(db);
  await sql`
    update usage_hourly u set rerank_usage = r.usage, rerank_byok_usage = r.byok_usage, rerank_requests = r.requests,
      rerank_prompt_tokens = r.prompt_tokens
    from (
      select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_hash, model, provider, sum(cost) as usage,
        sum(byok_cost) as byok_usage, count(*) as requests, sum(prompt_tokens) as prompt_tokens
      from ledger where api_type = 'rerank' group by 1, 2, 3, 4, 5
    ) r
    where u.workspace_id = r.workspace_id and u.hour = r.hour and u.key_hash = r.key_hash and u.model = r.model
      and u.provider = r.provider`.execute(db);
}
