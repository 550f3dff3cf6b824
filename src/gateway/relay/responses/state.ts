import type { ResponsesBody } from "#contract/responses.ts";
import { invalid } from "../../domain/refusal.ts";
import { daysKept } from "../../domain/workspaces/answered-items.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";
import type { PassedRequest } from "../chat/passed-request.ts";
import { containerMember, isGiven, itemType, locatedTools } from "./items.ts";

/**
 * A provider's key is shared by many keys of the gateway, and the provider tells none of them apart. What a request names
 * by an id of the provider's is therefore either an answer that this key was given, or is refused (decision 059).
 * @throws Refusal invalid_request for what another key may have put there, saying what would work
 */
export function refuseForeignState(body: Readonly<JsonObject>, checked: ResponsesBody): void {
  if (isGiven(body["conversation"])) {
    throw invalid("conversation", "is not kept here: send the conversation in input, or previous_response_id");
  }
  const { input, store, background, stream, provider } = checked;
  if (Array.isArray(input)) input.forEach((item, index) => refuseReference(item, `input.${index}`));
  for (const { tool, path } of locatedTools(body)) refuseContainer(tool, path);
  if (store === true && (provider?.zdr === true || provider?.data_collection === "deny")) {
    const member = provider.zdr === true ? "zdr" : "data_collection";
    throw invalid("store", `cannot be true where provider.${member} asks that nothing is kept: leave out one of them`);
  }
  if (background === true && (stream !== true || store !== true)) {
    throw invalid(
      "background",
      "needs stream: true and store: true, since answers cannot be read later here: leave it out, or send both",
    );
  }
}

const unknownItem =
  `no item with this id was answered to this key in the last ${daysKept} days, or it was not kept: send the item as it ` +
  "was answered (in @ai-sdk/openai with providerOptions.openai.store false), or previous_response_id with the id of its answer";

/** What a provider reads from what it keeps, whoever put it there. */
function refuseReference(item: JsonObject, path: string): void {
  const type = itemType(item);
  if (type === "item_reference") throw invalid(path, `is an item by its id alone, and ${unknownItem}`);
  if (type.includes("compaction") && isGiven(item["id"]) && !isGiven(item["encrypted_content"]))
    throw invalid(path, "is a compaction by its id alone: send it with its encrypted_content");
  if (type === "image_generation_call" && !isGiven(item["result"])) {
    throw invalid(path, "is an image by its id alone: send it with its result, or as an input_image");
  }
  if (isIdAlone(item)) throw invalid(path, "is an item by its id alone: send the item as it was answered");
}

const isIdAlone = (item: JsonObject) =>
  isGiven(item["id"]) && Object.keys(item).every((member) => (item[member] ?? null) === null || nameless.has(member));
const nameless = new Set(["id", "type", "status", "role", "object"]);

/** The place of reasoning that a provider which keeps items looks up by its id; null: there is none. */
export function referenceIn(input: unknown): string | null {
  if (!Array.isArray(input)) return null;
  const at = input.findIndex((item: unknown) => {
    if (!isObject(item) || itemType(item) !== "reasoning") return false;
    return isGiven(item["id"]) && !isGiven(item["encrypted_content"]);
  });
  return at === -1 ? null : `input.${at}`;
}

function refuseContainer(tool: JsonObject, path: string): void {
  const { container } = tool;
  const member = typeof container === "string" ? "container" : containerMember(tool);
  if (member === null) return;
  throw invalid(`${path}.${member}`, 'cannot be a container by its id: use {"type": "auto"} or "container_auto"');
}

/** The place of a container in which an earlier call ran, and a provider runs the next one; null: there is none. */
export function containerIn(input: unknown): string | null {
  if (!Array.isArray(input)) return null;
  for (const [index, item] of input.entries()) {
    const member = isObject(item) ? containerMember(item) : null;
    if (member !== null) return `input.${index}.${member}`;
  }
  return null;
}

/** What only a provider can do that keeps answers. */
export function keepingIn({
  previous_response_id: continues,
  store,
}: Pick<ResponsesBody, "previous_response_id" | "store">): PassedRequest["keeping"] {
  if (isGiven(continues)) return { what: "previous_response_id", instead: "send the whole conversation in input" };
  const instead = "leave it out, and send the whole conversation with each call";
  return store === true ? { what: "store: true", instead } : null;
}
