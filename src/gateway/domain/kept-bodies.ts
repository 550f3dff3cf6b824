import type { GenerationContent } from "#contract/generations.ts";
import type { Deps } from "./context.ts";
import { contentPlace } from "./generations.ts";

/** Keeps the bodies of a call, sealed. Only where its workspace asks for it. */
export async function keepBodies(
  deps: Deps,
  call: { id: string; workspaceId: string; createdAt: Date },
  content: GenerationContent,
): Promise<void> {
  await deps.store.db
    .insertInto("generation_contents")
    .values({
      id: call.id,
      workspace_id: call.workspaceId,
      created_at: call.createdAt,
      sealed: deps.secrets.seal(JSON.stringify(content), contentPlace(call.id)),
    })
    .execute();
}
