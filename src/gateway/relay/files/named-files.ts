import type { ConversationApi } from "#contract/api-type.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";
import { locatedBlocks, sourceOf } from "../messages/blocks.ts";
import { locatedParts, locatedTools } from "../responses/items.ts";

/** What ids of the gateway's own begin with. */
export const ownPrefix = "or_file_";

/** A file that a request names by its id. */
export interface NamedFile {
  readonly id: string;
  /** where the id is */
  readonly path: string;
  /** the part or block that is the file; null: it is only for a provider's own tools */
  readonly part: JsonObject | null;
}

/** The files that a request names, in each form of conversation. */
export const namedFiles: Readonly<Record<ConversationApi, (body: Readonly<JsonObject>) => NamedFile[]>> = {
  completions: inChat,
  messages: inMessages,
  responses: inResponses,
};

function inChat({ messages }: Readonly<JsonObject>): NamedFile[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, index) => {
    const content = isObject(message) ? message["content"] : null;
    if (!Array.isArray(content)) return [];
    return content.flatMap((part: unknown, at) => {
      if (!isObject(part) || !isObject(part["file"])) return [];
      return named(part["file"], `messages.${index}.content.${at}.file`, part);
    });
  });
}

function inMessages(body: Readonly<JsonObject>): NamedFile[] {
  return [...locatedBlocks(body)].flatMap(({ block, path }) => {
    if (block["type"] === "container_upload") return named(block, path, null);
    return named(sourceOf(block), `${path}.source`, block);
  });
}

function inResponses(body: Readonly<JsonObject>): NamedFile[] {
  const ofTools = [...locatedTools(body)].flatMap(({ tool, path }) => {
    const { container } = tool;
    const ids = isObject(container) && Array.isArray(container["file_ids"]) ? container["file_ids"] : [];
    return ids.flatMap((id: unknown, at) =>
      typeof id === "string" ? [{ id, path: `${path}.container.file_ids.${at}`, part: null }] : [],
    );
  });
  return [...[...locatedParts(body)].flatMap(({ part, path }) => named(part, path, part)), ...ofTools];
}

function named({ file_id: id }: JsonObject, path: string, part: JsonObject | null): NamedFile[] {
  return typeof id === "string" && id !== "" ? [{ id, path: `${path}.file_id`, part }] : [];
}
