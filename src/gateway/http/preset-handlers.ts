import type { Context } from "../domain/context.ts";
import type { PresetReference } from "../domain/workspaces/presets.ts";
import * as presets from "../domain/workspaces/presets.ts";
import { fromChat, fromMessage, fromResponse } from "../relay/preset/from-request.ts";
import type { Handlers } from "./bind.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The verbs of presets. */
export const presetHandlers = {
  listPresets: (ctx, { query }) => presets.list(ctx, query),
  createPreset: async (ctx, { body }, { reply }) => tagged(reply, await presets.create(ctx, body)),
  getPreset: async (ctx, input, { reply }) => tagged(reply, await presets.get(ctx, named(input))),
  updatePreset: async (ctx, input, { request, reply }) =>
    tagged(reply, await presets.update(ctx, named(input), input.body, readIfMatch(request))),
  deletePreset: (ctx, input, { request }) => presets.remove(ctx, named(input), readIfMatch(request)),
  listPresetVersions: (ctx, input) => presets.versions(ctx, named(input), input.query),
  getPresetVersion: async (ctx, input) => ({
    data: await presets.version(ctx, named(input), Number(input.params.version)),
  }),
  createPresetVersion: async (ctx, input, { request, reply }) =>
    tagged(reply, await presets.createVersion(ctx, named(input), input.body, readIfMatch(request))),
  savePresetFromChat: async (ctx, input, { reply }) =>
    tagged(reply, await presets.save(ctx, named(input), fromChat(input.body), "savePresetFromChat")),
  savePresetFromMessage: async (ctx, input, { reply }) => {
    const content = await fromMessage(input.body, ownerOf(ctx));
    return tagged(reply, await presets.save(ctx, named(input), content, "savePresetFromMessage"));
  },
  savePresetFromResponse: async (ctx, input, { reply }) =>
    tagged(reply, await presets.save(ctx, named(input), fromResponse(input.body), "savePresetFromResponse")),
} satisfies Partial<Handlers>;

function named({
  params,
  query,
}: {
  params: { slug: string };
  query: { workspace_id?: string | undefined };
}): PresetReference {
  return { slug: params.slug, workspaceId: query.workspace_id };
}

const ownerOf = ({ actor }: Context) => (actor.kind === "system" ? actor.name : actor.keyHash);
