import { isObject, readText, type JsonObject } from "../../providers/answer.ts";

/** A message's content as blocks; plain text is one block. */
export function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Where an image or a document is. */
export function sourceOf(block: JsonObject): JsonObject {
  return isObject(block["source"]) ? block["source"] : {};
}

/** A block, and the blocks of a tool's result, of a document or of a fetched page within it, with their places in the request. */
export interface LocatedBlock {
  readonly block: JsonObject;
  readonly path: string;
}

export function* locatedBlocks(body: Readonly<JsonObject>): Generator<LocatedBlock, void, void> {
  yield* located(body["system"], "system");
  const { messages } = body;
  if (!Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (isObject(message)) yield* located(message["content"], `messages.${index}.content`);
  }
}

function* located(content: unknown, path: string): Generator<LocatedBlock, void, void> {
  if (isObject(content)) return yield* locatedBlock(content, path);
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) {
    if (isObject(block)) yield* locatedBlock(block, `${path}.${index}`);
  }
}

function* locatedBlock(block: JsonObject, path: string): Generator<LocatedBlock, void, void> {
  yield { block, path };
  yield* located(block["content"], `${path}.content`);
  yield* located(sourceOf(block)["content"], `${path}.source.content`);
}

/** The text of blocks, without all else. */
export function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap((block) => (block["type"] === "text" ? (readText(block["text"]) ?? []) : []))
    .join("\n\n");
}
