import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { readCall } from "../../providers/tools.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { shortEventData } from "../answer-body.ts";
import type { FormedCall, StreamWriter } from "../caller-form.ts";
import type { Piece } from "../sent.ts";
import { thoughtIn } from "../chat/conversation.ts";
import { longFrame, passedFrame } from "../chat/frames.ts";
import type { HeardEvent, PassedFrame } from "../chat/hearing.ts";
import { routingReport } from "../chat/routing-report.ts";
import type { SettledChat } from "../chat/settled.ts";
import { messageId, messagesUsage, settledUsage, stopReason, unsaid } from "./answer.ts";
import { streamError } from "./errors.ts";
import { signedCallId } from "../signed-call-id.ts";
import { unsigned } from "./unsigned.ts";

type StreamEvent = JsonObject & { type: string };

const leadOf = ({ type }: StreamEvent) => `event: ${type}\ndata: `;
const written = (event: StreamEvent): Piece => `${leadOf(event)}${JSON.stringify(event)}\n\n`;

function* allWritten(events: Iterable<StreamEvent>): Generator<Piece, void, void> {
  for (const event of events) yield written(event);
}

/** A block that is being written. */
interface Open {
  readonly index: number;
  readonly type: "text" | "thinking";
  /** of thoughts: with it they are complete */
  signature: string | null;
}

/** A tool call that is being written: providers may send the pieces of several in turn. */
interface OpenCall {
  readonly index: number;
  /** its arguments so far, to see whether they are complete */
  json: string;
  /** it gets a text, which is written as the one member of an object */
  readonly isText: boolean;
}

/**
 * Writes a stream of this dialect: the provider's own events, or events for what a chat provider says.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export class MessagesWriter implements StreamWriter {
  private begun = false;
  private open: Open | null = null;
  /** by the number that the provider gives them */
  private readonly calls = new Map<unknown, OpenCall>();
  private blocks = 0;
  private stop: string | null = null;
  /** the provider's last event, which waits for the settlement; null: none came, or it has another dialect */
  private last: PassedFrame | null = null;
  private isPassed = false;
  private readonly run: FormedCall;

  constructor(run: FormedCall) {
    this.run = run;
  }

  /** Before its first event, clients know no other. */
  silence(): Piece {
    return this.begun ? written({ type: "ping" }) : ": GATEHOUSE PROCESSING\n\n";
  }

  event(
    candidate: Candidate,
    heard: HeardEvent,
    chunks: readonly ChatObject[],
  ): Iterable<Piece> | AsyncIterable<Piece> {
    if (heard.passed !== null) return this.pass(heard.passed, heard.events);
    if (heard.size > shortEventData) return this.writeLong(candidate, chunks);
    return allWritten(this.chunks(candidate, chunks));
  }

  private *pass(passed: PassedFrame, events: HeardEvent["events"]): Generator<Piece, void, void> {
    this.begun = this.isPassed = true;
    if (events.some(({ type }) => type === "done")) this.last = passed;
    else yield* passedFrame(passed);
  }

  private async *writeLong(candidate: Candidate, chunks: readonly ChatObject[]): AsyncGenerator<Piece, void, void> {
    for (const event of this.chunks(candidate, chunks)) yield* longFrame(this.run, leadOf(event), event);
  }

  *end(candidate: Candidate, settled: SettledChat): Generator<Piece, void, void> {
    const report = routingReport(this.run, candidate);
    if (this.isPassed) {
      if (this.last !== null && Object.keys(report).length === 0) return yield* passedFrame(this.last);
      return yield written({ type: "message_stop", ...report });
    }
    yield* allWritten(this.begin(candidate));
    yield* allWritten(this.close());
    const delta = { stop_reason: this.stop ?? "end_turn", ...unsaid };
    yield written({ type: "message_delta", delta, usage: settledUsage(settled) });
    yield written({ type: "message_stop", ...report });
  }

  *error(_: string, error: unknown): Generator<Piece, void, void> {
    yield written(streamError(this.run, error));
  }

  private *chunks(candidate: Candidate, chunks: readonly ChatObject[]): Generator<StreamEvent, void, void> {
    for (const chunk of chunks) yield* this.chunk(candidate, chunk);
  }

  private *chunk(candidate: Candidate, { choices }: ChatObject): Generator<StreamEvent, void, void> {
    yield* this.begin(candidate);
    const choice = choices.find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return;
    const { delta } = choice;
    if (isObject(delta)) {
      yield* this.thinking(delta);
      for (const member of ["content", "refusal"]) {
        const text = readText(delta[member]) ?? "";
        if (text !== "") yield* this.delta("text", { type: "text_delta", text });
      }
      for (const call of objectsIn(delta["tool_calls"])) yield* this.toolCall(call);
    }
    this.stop = stopReason(choice["finish_reason"]) ?? this.stop;
  }

  /** The same thoughts may come in several members. */
  private *thinking(delta: JsonObject): Generator<StreamEvent, void, void> {
    const text = thoughtIn(delta);
    if (text !== "") yield* this.delta("thinking", { type: "thinking_delta", thinking: text });
    for (const { type, data, signature, text: said } of objectsIn(delta["reasoning_details"])) {
      if (text === "" && typeof said === "string" && said !== "") {
        yield* this.delta("thinking", { type: "thinking_delta", thinking: said });
      }
      if (typeof signature === "string" && signature !== "") yield* this.sign(signature);
      if (type === "reasoning.encrypted" && typeof data === "string") {
        yield* this.close();
        const index = this.blocks++;
        yield { type: "content_block_start", index, content_block: { type: "redacted_thinking", data } };
        yield { type: "content_block_stop", index };
      }
    }
  }

  /** A call is closed once another one begins and its own arguments are whole; until then it may go on. */
  private *toolCall(given: JsonObject): Generator<StreamEvent, void, void> {
    const { index: number = 0 } = given;
    const { kind, name, text } = readCall(given);
    let call = this.calls.get(number);
    if (call === undefined) {
      yield* this.closeText();
      for (const [other, { json }] of this.calls) if (isWhole(json)) yield* this.closeCall(other);
      call = { index: this.blocks++, json: "", isText: kind === "custom" };
      this.calls.set(number, call);
      const { index } = call;
      const id = signedCallId(given, `toolu_${index}`);
      yield { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } };
      if (call.isText) yield* this.writeCall(call, '{"input":"');
    }
    if (text !== "") yield* this.writeCall(call, call.isText ? JSON.stringify(text).slice(1, -1) : text);
  }

  private *writeCall(call: OpenCall, piece: string): Generator<StreamEvent, void, void> {
    call.json += piece;
    const delta = { type: "input_json_delta", partial_json: piece };
    yield { type: "content_block_delta", index: call.index, delta };
  }

  private *closeCall(number: unknown): Generator<StreamEvent, void, void> {
    const call = this.calls.get(number);
    this.calls.delete(number);
    if (call === undefined) return;
    if (call.isText) yield* this.writeCall(call, '"}');
    yield { type: "content_block_stop", index: call.index };
  }

  private *begin(candidate: Candidate): Generator<StreamEvent, void, void> {
    if (this.begun) return;
    this.begun = true;
    const { prompt } = this.run;
    const message = {
      id: messageId(this.run),
      type: "message",
      role: "assistant",
      model: candidate.model.id,
      content: [],
      stop_reason: null,
      ...unsaid,
      // The provider says at the end how many there were: until then the gateway's own count.
      usage: messagesUsage({ promptTokens: prompt.tokens, completionTokens: 0 }),
      provider: candidate.provider.name,
    };
    yield { type: "message_start", message };
    yield { type: "ping" };
  }

  private *sign(signature: string): Generator<StreamEvent, void, void> {
    if (this.open?.signature === signature) return;
    yield* this.delta("thinking", { type: "signature_delta", signature });
    if (this.open !== null) this.open.signature = signature;
  }

  private *delta(type: "text" | "thinking", delta: JsonObject): Generator<StreamEvent, void, void> {
    if (this.open?.type !== type || this.open.signature !== null) {
      yield* this.start(type, type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" });
    }
    yield* this.write(delta);
  }

  private *start(type: Open["type"], content_block: JsonObject): Generator<StreamEvent, void, void> {
    yield* this.close();
    this.open = { index: this.blocks++, type, signature: null };
    yield { type: "content_block_start", index: this.open.index, content_block };
  }

  private *write(delta: JsonObject): Generator<StreamEvent, void, void> {
    if (this.open !== null) yield { type: "content_block_delta", index: this.open.index, delta };
  }

  private *close(): Generator<StreamEvent, void, void> {
    for (const number of this.calls.keys()) yield* this.closeCall(number);
    yield* this.closeText();
  }

  private *closeText(): Generator<StreamEvent, void, void> {
    if (this.open === null) return;
    const { index, type, signature } = this.open;
    if (type === "thinking" && signature === null) yield* this.write({ type: "signature_delta", signature: unsigned });
    this.open = null;
    yield { type: "content_block_stop", index };
  }
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
