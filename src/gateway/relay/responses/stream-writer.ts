import type { Candidate } from "../../domain/routing/routing.ts";
import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import { BadAnswer, type ChatObject } from "../../providers/provider.ts";
import { readCall } from "../../providers/tools.ts";
import { takeTurns } from "../../turns.ts";
import { shortEventData } from "../answer-body.ts";
import type { FormedCall, StreamWriter } from "../caller-form.ts";
import type { Piece } from "../sent.ts";
import { textIn, thoughtIn } from "../chat/conversation.ts";
import { longFrame, passedFrame } from "../chat/frames.ts";
import type { HeardEvent, PassedFrame } from "../chat/hearing.ts";
import { routingReport } from "../chat/routing-report.ts";
import type { SettledChat } from "../chat/settled.ts";
import {
  annotationOf,
  begunResponse,
  completedAt,
  endingOf,
  imagesIn,
  itemId,
  logprobsOf,
  responseId,
  responsesUsage,
} from "./answer.ts";
import { type Call, callDelta, calledItem, callEnd, callTypes, toolCalled } from "./calls.ts";
import { EndedItems } from "./ended-items.ts";
import { brokenOff, failedWith } from "./errors.ts";
import { LongText } from "./long-text.ts";
import { closePart, type Message, type Part, partAt, partOf, roomOfPart } from "./message-parts.ts";
import { carriedThought } from "../../carried-thought.ts";
import { signedCallId } from "../signed-call-id.ts";
import { added, type Item, leadOf, short, type StreamEvent } from "./stream-events.ts";
import { keepAnswered } from "./with-kept-items.ts";

/** Whether what an answer repeats of its request takes long to write. */
export const isLongRequest = ({ context }: FormedCall): boolean => context.call.body.length > shortEventData;

interface Thought extends Item {
  readonly text: LongText;
  /** what makes it valid for its provider */
  readonly members: JsonObject;
}

/** Whether these members are all among the others: some providers say them twice. */
const isIn = (others: JsonObject | undefined, members: JsonObject): boolean =>
  others !== undefined && Object.entries(members).every(([name, value]) => others[name] === value);

/** Items of one answer, and parts of one item; an answer that is passed on whole may have no more either. */
const mostItems = 4_096;
const doneFrame = "data: [DONE]\n\n";

/**
 * Writes a stream of this dialect: the provider's own events, or events for what a chat provider says.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponsesWriter implements StreamWriter {
  private begun = false;
  private sequence = 0;
  private items = 0;
  /** items that are written, by their index */
  private readonly output: JsonObject[] = [];
  private message: Message | null = null;
  private thought: Thought | null = null;
  /** by the provider's number; it may write several at a time */
  private readonly calls = new Map<unknown, Call>();
  private finish: string | null = null;
  private tier: string | null = null;
  /** characters of all texts */
  private written = 0;
  /** the provider's last event, which waits for the settlement; null: none came, or it has another dialect */
  private last: PassedFrame | null = null;
  /** the provider's own id of an answer that is passed on */
  private passedId: string | null = null;
  private isPassed = false;
  private readonly ended = new EndedItems();
  private readonly run: FormedCall;

  constructor(run: FormedCall) {
    this.run = run;
  }

  silence(): Piece {
    return ": GATEHOUSE PROCESSING\n\n";
  }

  event(
    candidate: Candidate,
    heard: HeardEvent,
    chunks: readonly ChatObject[],
  ): Iterable<Piece> | AsyncIterable<Piece> {
    if (heard.passed !== null) return this.pass(heard.passed, heard.events, chunks);
    return this.write([...this.chunks(candidate, chunks, heard.size)]);
  }

  private *pass(
    passed: PassedFrame,
    events: HeardEvent["events"],
    chunks: readonly ChatObject[],
  ): Generator<Piece, void, void> {
    this.begun = this.isPassed = true;
    this.sequence += 1;
    this.passedId ??= readText(chunks[0]?.["id"]);
    if (this.run.context.call.keepItems !== undefined) this.take(this.ended.add(passed));
    if (events.some(({ type }) => type === "done")) this.last = passed;
    else yield* passedFrame(passed);
  }

  async *end(candidate: Candidate, settled: SettledChat): AsyncGenerator<Piece, void, void> {
    const report = routingReport(this.run, candidate);
    if (this.isPassed) {
      await keepAnswered(this.run, (turn) => this.ended.read(turn));
      if (this.last !== null) yield* passedFrame(withReport(this.last, report));
    } else {
      yield* this.write([...this.begin(candidate), ...this.closeAll()]);
      await keepAnswered(this.run, () => this.output);
      const { status, incomplete_details } = endingOf(this.finish);
      const response = {
        ...begunResponse(this.run, candidate.model.id),
        status,
        incomplete_details,
        ...(status === "failed" ? failedWith(brokenOff) : {}),
        completed_at: status === "completed" ? completedAt(this.run) : null,
        output: this.output,
        usage: responsesUsage(settled),
        ...(this.tier === null ? {} : { service_tier: this.tier }),
        provider: candidate.provider.name,
        ...report,
      };
      yield* this.write([this.lifecycle(`response.${status}`, response)]);
    }
    yield doneFrame;
  }

  async *error(model: string, thrown: unknown): AsyncGenerator<Piece, void, void> {
    const begun = begunResponse(this.run, model);
    const failed = { ...begun, id: this.passedId ?? responseId(this.run), ...failedWith(thrown), output: this.output };
    const first = this.begun ? [] : this.beginning(begun);
    this.begun = true;
    yield* this.write([...first, this.lifecycle("response.failed", failed)]);
    yield doneFrame;
  }

  private write(events: readonly StreamEvent[]): Iterable<Piece> | AsyncIterable<Piece> {
    const size = events.reduce((sum, each) => sum + each.size, 0);
    if (size > shortEventData || events.length > mostAtOnce) return this.writeLong(events);
    return events.map((event) => this.frame(event));
  }

  private frame(event: StreamEvent): string {
    return `${leadOf(event)}${JSON.stringify(this.numbered(event))}\n\n`;
  }

  private async *writeLong(events: readonly StreamEvent[]): AsyncGenerator<Piece, void, void> {
    const turn = takeTurns(this.run.context.call.credential.hash, { patient: true });
    for (const event of events) {
      if (event.size > shortEventData) yield* longFrame(this.run, leadOf(event), this.numbered(event));
      else yield this.frame(event);
      if (turn.isOver()) await turn.next();
    }
  }

  private numbered({ type, members }: StreamEvent): JsonObject {
    return { type, sequence_number: this.sequence++, ...members };
  }

  private lifecycle(type: string, response: JsonObject): StreamEvent {
    const size = (isLongRequest(this.run) ? this.run.context.call.body.length : 0) + this.written;
    return { type, members: { response }, size };
  }

  private *chunks(
    candidate: Candidate,
    chunks: readonly ChatObject[],
    size: number,
  ): Generator<StreamEvent, void, void> {
    for (const chunk of chunks) {
      // What one event says is no longer than the provider's event.
      for (const event of this.chunk(candidate, chunk)) yield event.size < size ? { ...event, size } : event;
    }
  }

  private *chunk(
    candidate: Candidate,
    { choices, service_tier: tier }: ChatObject,
  ): Generator<StreamEvent, void, void> {
    yield* this.begin(candidate);
    this.tier = readText(tier) ?? this.tier;
    const choice = choices.find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return;
    const { delta } = choice;
    if (isObject(delta)) {
      yield* this.thinking(delta);
      yield* this.saying("output_text", textIn(delta), logprobsOf(choice["logprobs"]));
      yield* this.saying("refusal", readText(delta["refusal"]) ?? "", []);
      for (const annotation of objectsIn(delta["annotations"]).flatMap(annotationOf)) yield* this.annotate(annotation);
      for (const image of imagesIn(delta)) yield* this.image(image);
      for (const call of objectsIn(delta["tool_calls"])) yield* this.calling(call);
    }
    this.finish = readText(choice["finish_reason"]) ?? this.finish;
  }

  /** The same thoughts may come in several members. */
  private *thinking(delta: JsonObject): Generator<StreamEvent, void, void> {
    const text = thoughtIn(delta);
    yield* this.think(text);
    for (const { type, text: said, summary, signature, format, data } of objectsIn(delta["reasoning_details"])) {
      if (text === "") yield* this.think(readText(said) ?? readText(summary) ?? "");
      const members = {
        ...(typeof signature === "string" && signature !== "" ? { signature } : {}),
        ...(type === "reasoning.encrypted" && typeof data === "string" ? { encrypted_content: data } : {}),
      };
      if (Object.keys(members).length === 0 || isIn(this.thought?.members, members)) continue;
      const thought = yield* this.startThought();
      Object.assign(thought.members, members, typeof format === "string" ? { format } : {});
      this.take(lengthOf(data) + lengthOf(signature));
    }
  }

  private *think(piece: string): Generator<StreamEvent, void, void> {
    if (piece === "") return;
    const thought = yield* this.startThought();
    const at = { item_id: thought.id, output_index: thought.index, content_index: 0 };
    if (thought.text.length === 0) {
      yield short("response.content_part.added", { ...at, part: { type: "reasoning_text", text: "" } });
    }
    this.keep(thought.text, piece);
    yield short("response.reasoning_text.delta", { ...at, delta: piece });
  }

  /** With its signature a thought is complete: what comes then is the next one. */
  private *startThought(): Generator<StreamEvent, Thought, void> {
    if (this.thought !== null && Object.keys(this.thought.members).length === 0) return this.thought;
    yield* this.closeThought();
    yield* this.closeMessage();
    const thought: Thought = { ...this.item("reasoning"), text: new LongText(), members: {} };
    this.thought = thought;
    const { index, id } = thought;
    yield added(index, { id, type: "reasoning", status: "in_progress", summary: [], content: [] });
    return thought;
  }

  private *closeThought(): Generator<StreamEvent, void, void> {
    if (this.thought === null) return;
    const { index, id, text: long, members } = this.thought;
    this.thought = null;
    const text = long.whole();
    const part = { type: "reasoning_text", text };
    if (text !== "") {
      const at = { item_id: id, output_index: index, content_index: 0 };
      yield { type: "response.reasoning_text.done", members: { ...at, text }, size: text.length };
      yield { type: "response.content_part.done", members: { ...at, part }, size: text.length };
    }
    const content = text === "" ? [] : [part];
    const data = members["encrypted_content"];
    const carried = carriedThought({
      ...members,
      text,
      ...(data === undefined ? {} : { type: "reasoning.encrypted", data }),
    });
    const sealed = carried === null ? {} : { encrypted_content: carried };
    const size = text.length + lengthOf(carried ?? data) + lengthOf(members["signature"]);
    const item = { id, type: "reasoning", status: "completed", summary: [], content, ...members, ...sealed };
    yield* this.done(index, item, size);
  }

  private *saying(type: Part["type"], piece: string, logprobs: JsonObject[]): Generator<StreamEvent, void, void> {
    if (piece === "") return;
    yield* this.closeThought();
    const message = yield* this.startMessage();
    const part = yield* this.startPart(message, type);
    this.keep(part.text, piece);
    const delta = { ...partAt(message, part), delta: piece, ...(type === "output_text" ? { logprobs } : {}) };
    // An event may hold twenty alternatives for each token.
    yield { type: `response.${type}.delta`, members: delta, size: piece.length + logprobs.length * charactersPerToken };
  }

  private *startMessage(): Generator<StreamEvent, Message, void> {
    if (this.message !== null) return this.message;
    const message: Message = { ...this.item("message"), content: [], size: 0, part: null };
    this.message = message;
    const { index, id } = message;
    yield added(index, { id, type: "message", status: "in_progress", role: "assistant", content: [] });
    return message;
  }

  private *startPart(message: Message, type: Part["type"]): Generator<StreamEvent, Part, void> {
    if (message.part?.type === type) return message.part;
    yield* closePart(message);
    const index = message.content.length;
    if (index >= mostItems) throw new BadAnswer(`the stream has a message of more than ${mostItems} parts`);
    this.take(roomOfPart);
    const part: Part = { index, cited: 0, type, text: new LongText(), annotations: [] };
    message.part = part;
    yield short("response.content_part.added", { ...partAt(message, part), part: partOf(part, "") });
    return part;
  }

  private *annotate(annotation: JsonObject): Generator<StreamEvent, void, void> {
    const message = yield* this.startMessage();
    const part = yield* this.startPart(message, "output_text");
    const index = part.annotations.push(annotation) - 1;
    if (index >= mostItems) throw new BadAnswer(`the stream has more than ${mostItems} annotations`);
    const size = lengthOf(annotation["url"]) + lengthOf(annotation["title"]) + roomOfPart;
    part.cited += size;
    this.take(size);
    const members = { ...partAt(message, part), annotation_index: index, annotation };
    yield short("response.output_text.annotation.added", members);
  }

  private *closeMessage(): Generator<StreamEvent, void, void> {
    if (this.message === null) return;
    const { message } = this;
    this.message = null;
    yield* closePart(message);
    const { index, id, content, size } = message;
    const status = endingOf(this.finish).status === "completed" ? "completed" : "incomplete";
    yield* this.done(index, { id, type: "message", status, role: "assistant", content }, size);
  }

  private *image(result: string): Generator<StreamEvent, void, void> {
    yield* this.closeThought();
    yield* this.closeMessage();
    const { index, id } = this.item("image_generation_call");
    this.take(result.length);
    yield added(index, { id, type: "image_generation_call", status: "in_progress", result: null });
    const item = { id, type: "image_generation_call", status: "completed", result };
    yield short("response.image_generation_call.completed", { item_id: id, output_index: index });
    yield* this.done(index, item, result.length);
  }

  private *calling(given: JsonObject): Generator<StreamEvent, void, void> {
    const { index: number = 0 } = given;
    const read = readCall(given);
    const piece = read.text;
    let call = this.calls.get(number);
    if (call === undefined) {
      yield* this.closeThought();
      yield* this.closeMessage();
      const tool = toolCalled(this.run, read);
      const item = this.item(callTypes[tool.kind]);
      call = { ...item, callId: signedCallId(given, `call_${item.id}`), tool, text: new LongText() };
      this.calls.set(number, call);
      this.take(tool.name.length + call.callId.length);
      yield added(call.index, calledItem(call, "in_progress", ""));
    }
    if (piece === "") return;
    this.keep(call.text, piece);
    yield* callDelta(call, piece);
  }

  private *closeAll(): Generator<StreamEvent, void, void> {
    yield* this.closeThought();
    yield* this.closeMessage();
    const status = endingOf(this.finish).status === "completed" ? "completed" : "incomplete";
    for (const call of this.calls.values()) {
      const item = calledItem(call, status, call.text.whole());
      yield* callEnd(call, item);
      yield* this.done(call.index, item, call.text.length + call.tool.name.length);
    }
    this.calls.clear();
  }

  private *begin(candidate: Candidate): Generator<StreamEvent, void, void> {
    if (this.begun) return;
    this.begun = true;
    yield* this.beginning({ ...begunResponse(this.run, candidate.model.id), provider: candidate.provider.name });
  }

  private beginning(response: JsonObject): StreamEvent[] {
    return [this.lifecycle("response.created", response), this.lifecycle("response.in_progress", response)];
  }

  /** @throws BadAnswer when there are more than any model makes */
  private item(type: Parameters<typeof itemId>[1]): Item {
    if (this.items >= mostItems) throw new BadAnswer(`the stream has more than ${mostItems} items`);
    const index = this.items++;
    return { index, id: itemId(this.run, type, index) };
  }

  private *done(index: number, item: JsonObject, size: number): Generator<StreamEvent, void, void> {
    this.output[index] = item;
    yield { type: "response.output_item.done", members: { output_index: index, item }, size };
  }

  private keep(text: LongText, piece: string): void {
    text.push(piece);
    this.take(piece.length);
  }

  /** Takes room for texts that are written once more at their end, step by step. */
  private take(length: number): void {
    const steps = Math.floor((this.written + length) / roomStep) - Math.floor(this.written / roomStep);
    this.written += length;
    if (steps > 0) this.run.context.call.room.take(steps * roomStep);
  }
}

const roomStep = 65_536;
/** Events that are written at once if they are short. */
const mostAtOnce = 64;
const charactersPerToken = 2_048;

const lengthOf = (text: unknown) => readText(text)?.length ?? 0;

/** How the call was routed, as further members of the last event. */
function withReport({ name, data }: PassedFrame, report: object): PassedFrame {
  if (Object.keys(report).length === 0) return { name, data };
  const members = `,${JSON.stringify(report).slice(1)}`;
  if (typeof data === "string") return { name, data: `${data.slice(0, data.lastIndexOf("}"))}${members}` };
  return { name, data: Buffer.concat([data.subarray(0, data.lastIndexOf("}")), Buffer.from(members)]) };
}
