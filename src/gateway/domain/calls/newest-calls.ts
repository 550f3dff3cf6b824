import { type RawBuilder, sql } from "kysely";

interface Sample {
  readonly workspaces: readonly string[];
  readonly since: Date;
  /** rows of the ledger, but for one more of each workspace by rounding */
  readonly most: number;
}

/**
 * `busy` and `newest` for a `with`: how many calls each workspace had, as the rollup says, and a bounded number of the
 * newest, each workspace's in proportion. They are read backward through the ledger's primary key (workspace, time, id).
 */
export const newestCalls = ({ workspaces, since, most }: Sample): RawBuilder<unknown> => sql`
  busy as (
    select w.id, sum(u.requests) as requests
    from unnest(${workspaces}::uuid[]) as w (id)
    join usage_hourly u on u.workspace_id = w.id and u.hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
    group by w.id
  ), shares as (
    select id, ceil(least(requests, ${most} * requests / sum(requests) over ()))::bigint as share from busy
  ), newest as (
    select l.*
    from shares s
    cross join lateral (
      select model, api_type, status, inputs, cached_inputs, prompt_tokens, duration_ms from ledger
      where workspace_id = s.id and created_at >= ${since}
      order by created_at desc, id desc
      limit s.share
    ) as l
  )`;
