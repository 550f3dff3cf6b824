import type { ConversationApi } from "#contract/api-type.ts";
import { isObject, typeName, type JsonObject } from "../../providers/answer.ts";

/** What a request names by an id of a vendor's. */
export interface VendorId {
  readonly path: string;
  readonly id: string;
  readonly isFile: boolean;
}

/**
 * Members whose values are ids of what a vendor keeps for an account: in the newest references of OpenAI's chat and
 * responses, Anthropic's messages, Gemini's content, Mistral's chat and xAI's collections.
 */
const idMember =
  /^(?:(?:file|vector_store|skill|tunnel|thread|assistant|agent|library|collection|knowledge(?:_base)?|user_profile|previous_(?:message|interaction)|comparison_response)_ids?|cached_?content)$/i;
/** Members that are texts, schemas, or say what an answer was made of; an id in them opens nothing. */
const unread = new Set(
  [
    "text arguments input_schema schema json_schema response_format input_examples metadata trace",
    "annotations citations results logprobs",
  ].flatMap((names) => names.split(" ")),
);
/** Of Google's files, an address is an id. */
const filesAddress = /^\s*(?:https?:)?[\\/]{2}[^\\/]*\bgenerativelanguage\.googleapis\.com\b/i;

/**
 * All ids of a vendor's in a request. Not those of earlier answers, of containers of responses, and of stored prompts, which
 * have rules of their own (decision 059).
 */
export function vendorIdsIn(body: Readonly<JsonObject>, api: ConversationApi): VendorId[] {
  const { container, messages } = body;
  const found: VendorId[] = [];
  if (api === "messages") readId(container, "container", found);
  else if (Array.isArray(messages)) {
    // What a model said earlier, as sound.
    for (const [at, message] of messages.entries()) {
      if (isObject(message) && isObject(message["audio"])) readId(message["audio"], `messages.${at}.audio`, found);
    }
  }
  readMembers(body, "", found);
  return found;
}

/** An id, or an object with one. */
function readId(value: unknown, path: string, found: VendorId[]): void {
  const id = isObject(value) ? value["id"] : value;
  if (typeof id === "string" && id !== "")
    found.push({ path: isObject(value) ? `${path}.id` : path, id, isFile: false });
}

interface Place {
  readonly member: string;
  readonly path: string;
  /** the object that has the member */
  readonly holder: Readonly<JsonObject>;
}

function readMembers(holder: Readonly<JsonObject>, prefix: string, found: VendorId[]): void {
  for (const member of Object.keys(holder)) {
    if (!isUnread(member, holder)) readValue(holder[member], { member, path: `${prefix}${member}`, holder }, found);
  }
}

/** The members of a function's schema are its own, and those of a tool's call. */
function isUnread(member: string, holder: Readonly<JsonObject>): boolean {
  if (member === "parameters") return holder["name"] !== undefined;
  return unread.has(member) || (member === "input" && typeName(holder["type"]).endsWith("tool_use"));
}

function readValue(value: unknown, place: Place, found: VendorId[]): void {
  const { member, path, holder } = place;
  if (typeof value === "string") {
    if (isVendorId(value, place)) found.push({ path, id: value, isFile: /^file_id/i.test(member) });
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) readValue(each, { member, path: `${path}.${at}`, holder }, found);
  } else if (isObject(value)) readMembers(value, `${path}.`, found);
}

function isVendorId(value: string, { member, holder }: Place): boolean {
  if (value === "") return false;
  if (idMember.test(member)) {
    const type = typeName(holder["type"]);
    // Skills that every account has, and files of which a tool's output says that it wrote them.
    return !(member === "skill_id" && type === "anthropic") && !type.endsWith("code_execution_output");
  }
  // A search in what the account's own identity may read.
  if (member === "type") return value.endsWith("_managed_identity");
  return /ur[il]$/i.test(member) && filesAddress.test(value.slice(0, 256));
}
