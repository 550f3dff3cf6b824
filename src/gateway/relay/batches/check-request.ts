import * as z from "zod/mini";
import { BatchCustomId } from "#contract/batches.ts";
import { MessageCustomId } from "#contract/message-batches.ts";
import type { BatchForm } from "../../domain/generation-id.ts";
import { invalid } from "../../domain/refusal.ts";
import { jsonMembers } from "../../json-members.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";
import { readJson, UnreadableJson } from "../../read-json.ts";
import { runInTurns, type Turn } from "../../turns.ts";

/** Lists, objects, and what is in them, of one request. */
const mostValues = 200_000;

/** A request of a batch that can be stored. */
export interface CheckedRequest {
  readonly customId: string;
  /** of its call: with the model, and otherwise as it came */
  readonly body: Buffer;
}

/** What the requests of each dialect have. */
const members = {
  public: { body: "body", customId: BatchCustomId },
  messages: { body: "params", customId: MessageCustomId },
} as const;

interface Given {
  readonly form: BatchForm;
  /** of all requests; null: each names its own */
  readonly model: string | null;
  readonly n: number;
  readonly value: Buffer;
}

/** @throws Refusal invalid_request that names the member; what its endpoint refuses is found when it is called */
export async function checkRequest({ form, model, n, value }: Given, turn: Turn): Promise<CheckedRequest> {
  const at = `requests.${n}`;
  const request = await readRequest(at, value, turn);
  const { body: name, customId } = members[form];
  for (const member of Object.keys(request)) {
    if (member !== "custom_id" && member !== name) throw invalid(at, `can have custom_id and ${name} only`);
  }
  const id = z.safeParse(customId, request["custom_id"]);
  if (!id.success) throw invalid(`${at}.custom_id`, idMessage[form]);
  const body = request[name];
  if (!isObject(body)) throw invalid(`${at}.${name}`, "must be an object: the body of the call");
  if (body["stream"] === true) throw invalid(`${at}.${name}.stream`, "must not be true: a batch has whole answers");
  await refuseOtherThanText(`${at}.${name}`, body, turn);
  const member = (await runInTurns(jsonMembers(value), turn)).members.findLast((each) => each.name === name);
  const bytes = value.subarray(member?.valueFrom, member?.to);
  return { customId: id.data, body: withModel(`${at}.${name}.model`, bytes, body["model"], model) };
}

const idMessage = {
  public: "must be a text of 1 to 256 characters",
  messages: "must be 1 to 64 letters, digits, _ or -",
} as const;

async function readRequest(at: string, value: Buffer, turn: Turn): Promise<JsonObject> {
  try {
    const request = await readJson(value, turn, mostValues);
    if (isObject(request)) return request;
  } catch (error) {
    if (error instanceof UnreadableJson) throw invalid(at, error.message);
    throw error;
  }
  throw invalid(at, "must be an object");
}

/** @param model of the batch; null: the request has its own */
function withModel(path: string, body: Buffer, own: unknown, model: string | null): Buffer {
  if (model === null) {
    if (typeof own === "string" && own !== "") return body;
    throw invalid(path, "is missing: each request of a batch of messages names its model");
  }
  if (own === model) return body;
  if (own !== undefined) throw invalid(path, "must be the batch's model, or left out");
  const rest = body.subarray(body.indexOf("{") + 1);
  const comma = rest.toString("latin1", 0, 1_024).trimStart().startsWith("}") ? "" : ",";
  return Buffer.concat([Buffer.from(`{"model":${JSON.stringify(model)}${comma}`), rest]);
}

/** Parts of a conversation, or inputs to embed, that are no text. */
const otherThanText = new Set([
  "image",
  "image_url",
  "input_image",
  "input_audio",
  "audio",
  "video_url",
  "input_video",
  "file",
  "input_file",
  "document",
]);

/** Parts between two looks at the clock. */
const lookEvery = 256;

async function refuseOtherThanText(path: string, { messages, input }: JsonObject, turn: Turn): Promise<void> {
  let count = 0;
  for (const list of [messages, input]) {
    for (const part of partsIn(list)) {
      if (isObject(part) && typeof part["type"] === "string" && otherThanText.has(part["type"])) {
        throw invalid(path, "holds an image, audio, video or a file: a batch takes text only");
      }
      if ((count += 1) % lookEvery === 0 && turn.isOver()) await turn.next();
    }
  }
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Messages or inputs, their parts, and those of the results of tools in them. */
function* partsIn(list: unknown): Generator<unknown, void, void> {
  for (const item of itemsOf(list)) {
    yield item;
    if (!isObject(item)) continue;
    for (const parts of [item["content"], item["output"]]) {
      for (const part of itemsOf(parts)) {
        yield part;
        if (isObject(part)) yield* itemsOf(part["content"]);
      }
    }
  }
}
