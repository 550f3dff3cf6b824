import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { ScimSyncJobRecord } from "#contract/scim.ts";
import type { ScimSyncJobsTable } from "../../storage/directory-tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound } from "../refusal.ts";
import { changeDirectory } from "./lock.ts";
import { applyMappings, workspacesOfGroups } from "./memberships.ts";

type Row = Selectable<ScimSyncJobsTable>;
type One = Promise<{ data: ScimSyncJobRecord }>;

const keptJobs = 100;
/** A job that has done nothing for so long was cut off: its process ended. */
const silentMs = 2 * 60_000;

/** Begins to apply all mappings, workspace by workspace, after the answer; a job that is at it is answered instead. */
export async function start(ctx: Context): One {
  refuseUnlessManagement(ctx);
  const { row, isNew } = await changeDirectory(ctx, async (trx) => {
    const running = await trx
      .selectFrom("scim_sync_jobs")
      .selectAll()
      .where("finished_at", "is", null)
      .where("seen_at", ">", silentSince(ctx))
      .executeTakeFirst();
    if (running !== undefined) return { row: running, isNew: false };
    const now = ctx.now();
    const row = await trx
      .insertInto("scim_sync_jobs")
      .values({ id: randomUUID(), status: "queued", created_at: now, seen_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await sql`
      delete from scim_sync_jobs where id in (
        select id from scim_sync_jobs order by created_at desc, id offset ${keptJobs}
      )`.execute(trx);
    await recordChange(trx, ctx, {
      action: "createScimSyncJob",
      target: { type: "scim_sync_job", id: row.id, name: null, workspaceId: null },
      before: null,
      after: { status: row.status },
    });
    return { row, isNew: true };
  });
  if (isNew) void run(ctx, row.id);
  return { data: record(row, ctx.now()) };
}

/** @throws Refusal 404 */
export async function get(ctx: Context, id: string): One {
  refuseUnlessManagement(ctx);
  const row = await ctx.store.db.selectFrom("scim_sync_jobs").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw notFound("There is no synchronization job with this id, or it is no longer kept");
  return { data: record(row, ctx.now()) };
}

/** Never rejects: how it ends is in its row, and if even that cannot be written, the row falls silent. */
async function run(ctx: Context, id: string): Promise<void> {
  const say = async (values: Partial<Row>) => {
    const { id: _, created_at: __, ...changed } = values as Row;
    await ctx.store.db
      .updateTable("scim_sync_jobs")
      .set({ ...changed, seen_at: ctx.now() })
      .where("id", "=", id)
      .execute();
  };
  try {
    await say({ status: "running", started_at: ctx.now() });
    const mapped = await ctx.store.db
      .selectFrom("scim_group_mappings as m")
      .innerJoin("workspaces as w", "w.id", "m.workspace_id")
      .select("m.group_id")
      .distinct()
      .where("w.deleted_at", "is", null)
      .execute();
    const groups = mapped.map(({ group_id }) => group_id);
    const workspaces = await ctx.store.db.transaction().execute(async (trx) => await workspacesOfGroups(trx, groups));
    for (const workspaceId of workspaces) {
      await changeDirectory(ctx, async (trx) => {
        await applyMappings(trx, ctx, "createScimSyncJob", { workspaces: [workspaceId], users: null });
      });
      await say({});
    }
    await say({ status: "succeeded", finished_at: ctx.now(), synced_groups: groups.length, deleted_groups: 0 });
  } catch {
    const error_message = "The store did not take all of it: start another job";
    await say({ status: "failed", finished_at: ctx.now(), error_message }).catch(() => {});
  }
}

const silentSince = (ctx: Context) => new Date(ctx.now().getTime() - silentMs);

function record(row: Row, now: Date): ScimSyncJobRecord {
  const isCutOff = row.finished_at === null && now.getTime() - row.seen_at.getTime() >= silentMs;
  return {
    id: row.id,
    status: isCutOff ? "failed" : row.status,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: (isCutOff ? row.seen_at : row.finished_at)?.toISOString() ?? null,
    synced_groups: row.synced_groups,
    deleted_groups: row.deleted_groups,
    error_message: isCutOff ? "The gateway stopped while it ran: start another job" : row.error_message,
  };
}
