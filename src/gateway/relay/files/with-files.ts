import { StringDecoder } from "node:string_decoder";
import type { ConversationApi } from "#contract/api-type.ts";
import { type OpenFile, openFile } from "../../domain/files/files.ts";
import { invalid, Refusal } from "../../domain/refusal.ts";
import type { JsonObject } from "../../providers/answer.ts";
import { joinInTurns, takeTurns, type Turn } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { RelayDeps } from "../deps.ts";
import { holdsAny } from "../holds-any.ts";
import type { ModelCall } from "../model-call.ts";
import { readBody } from "../read-body.ts";
import { inlined, isText } from "./inline.ts";
import { namedFiles, type NamedFile, ownPrefix } from "./named-files.ts";

const traces = [Buffer.from(ownPrefix)];
/** The most that any form of request may hold. */
const mostValues = 400_000;
/** As for a request that has its files in it. */
const mostBytes = 32 * 1_048_576;
const mostNamed = 100;

/**
 * The call with the files of its workspace that it names in it, for everything that comes after: limits, routing,
 * privacy and the ledger see the request as if the caller had sent their content.
 * @throws Refusal
 */
export async function withFiles(deps: RelayDeps, call: ModelCall, api: ConversationApi): Promise<ModelCall> {
  const turn = takeTurns(call.credential.hash);
  if (!(await holdsAny(call.body, traces, turn))) return call;
  const json = await readBody(call.body, turn, mostValues);
  const named = namedFiles[api](json).filter(({ id }) => id.startsWith(ownPrefix));
  if (named.length === 0) return call;
  if (named.length > mostNamed)
    throw invalid(named[mostNamed]?.path ?? "", `is one file too many: at most ${mostNamed} are allowed`);
  await inlineAll(deps, call, { api, named }, turn);
  return { ...call, body: await joinInTurns(await writeJsonInTurns(json, turn), turn) };
}

interface Naming {
  readonly api: ConversationApi;
  readonly named: readonly NamedFile[];
}

/** Puts the files into the parsed request, which nothing else holds. */
async function inlineAll({ domain }: RelayDeps, call: ModelCall, { api, named }: Naming, turn: Turn): Promise<void> {
  const { workspaceId } = call.credential;
  if (workspaceId === null) throw new Error("a management key reached the relay");
  const opened = new Map<string, OpenFile>();
  for (const { id, path, part } of named) {
    if (part === null)
      throw invalid(path, "is a file that the gateway keeps: only a vendor's own can be given to its tools");
    if (!opened.has(id)) opened.set(id, await openFile(domain, workspaceId, id));
  }
  const files = named.map((one) => ({ ...one, file: opened.get(one.id) as OpenFile }));
  let size = files.reduce((sum, { file }) => sum + inlineBytes(file), call.body.length);
  refuseTooLarge(size);
  call.room.take(size);
  const texts = new Map<string, InlineText>();
  for (const { id, path, part, file } of files) {
    const { filename, mime_type: type } = file;
    // Before it is read: the form may have no words for it.
    const instead = inlined[api](part ?? {}, { type, filename, data: "" });
    if (instead === null) throw invalid(path, `is a file of type ${type}, which ${String(part?.["type"])} cannot be`);
    const text = texts.get(id) ?? (await read(file, turn));
    texts.set(id, text);
    size += text.escapes;
    refuseTooLarge(size);
    call.room.take(text.escapes);
    replace(part ?? {}, inlined[api](part ?? {}, { type, filename, data: text.data }) ?? {});
  }
}

function refuseTooLarge(size: number): void {
  if (size <= mostBytes) return;
  const most = `${mostBytes / 1_048_576} MB`;
  throw new Refusal("payload_too_large", `With its files the request has about ${size} bytes: a call can have ${most}`);
}

const inlineBytes = ({ mime_type: type, size_bytes: size }: OpenFile) =>
  isText(type) ? size : Math.ceil(size / 3) * 4;

interface InlineText {
  readonly data: string;
  /** the bytes by which it is longer in JSON */
  readonly escapes: number;
}

/** The file's text, or its base64. */
async function read({ mime_type: type, content }: OpenFile, turn: Turn): Promise<InlineText> {
  // It keeps what a piece has of a character, or of three bytes, for the next one.
  const decoder = new StringDecoder(isText(type) ? "utf8" : "base64");
  let data = "";
  let escapes = 0;
  for await (const piece of content()) {
    data += decoder.write(piece);
    if (isText(type)) escapes += escapesIn(piece);
    if (turn.isOver()) await turn.next();
  }
  return { data: data + decoder.end(), escapes };
}

/** A quote takes two bytes, and a control character up to six. */
function escapesIn(piece: Buffer): number {
  let more = 0;
  for (const byte of piece) {
    if (byte < 0x20) more += shortEscapes.has(byte) ? 1 : 5;
    else if (byte === 0x22 || byte === 0x5c) more += 1;
  }
  return more;
}

const shortEscapes = new Set(Buffer.from("\b\t\n\f\r"));

/** A block keeps the members that `instead` does not have, such as its title; a part of another type keeps none. */
function replace(part: JsonObject, instead: JsonObject): void {
  if (instead["type"] !== undefined) for (const member of Object.keys(part)) if (!kept.has(member)) delete part[member];
  Object.assign(part, instead);
}

const kept = new Set(["cache_control"]);
