import { FeedbackCategory, type listGenerationFeedback, type submitGenerationFeedback } from "#contract/feedback.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { feedbackAad } from "../secrets/aad.ts";
import { storedText } from "../stored-text.ts";
import { find } from "./generations.ts";

const mostListed = 100;

/** Stores what a management key says of a call, in place of what it said before. */
export async function submit(
  ctx: Context,
  { generation_id: id, category, comment = "" }: Parsed<typeof submitGenerationFeedback>["body"],
): Promise<Output<typeof submitGenerationFeedback>> {
  refuseUnlessManagement(ctx);
  const call = await find(ctx, id);
  const said = storedText(comment, 1_000).trim();
  const feedback = {
    at: ctx.now(),
    author: ctx.actor.name,
    category,
    sealed: said === "" ? null : ctx.secrets.seal(said, feedbackAad(id)),
  };
  await ctx.store.db
    .insertInto("generation_feedback")
    .values({
      workspace_id: call.workspace_id,
      created_at: call.created_at,
      id,
      key_hash: ctx.actor.kind === "management" ? ctx.actor.keyHash : "",
      ...feedback,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "created_at", "id", "key_hash"]).doUpdateSet(feedback))
    .execute();
  return { data: { success: true } };
}

/** What was said of a call, the latest first. */
export async function list(ctx: Context, id: string): Promise<Output<typeof listGenerationFeedback>> {
  refuseUnlessManagement(ctx);
  const call = await find(ctx, id);
  const rows = await ctx.store.db
    .selectFrom("generation_feedback")
    .select(["category", "sealed", "author", "at"])
    .where("workspace_id", "=", call.workspace_id)
    .where("created_at", "=", call.created_at)
    .where("id", "=", id)
    .orderBy("at", "desc")
    .orderBy("key_hash")
    .limit(mostListed)
    .execute();
  return {
    data: rows.map(({ category, sealed, author, at }) => ({
      category: FeedbackCategory.parse(category),
      comment: sealed === null ? null : ctx.secrets.open(sealed, feedbackAad(id)),
      author,
      created_at: at.toISOString(),
    })),
  };
}
