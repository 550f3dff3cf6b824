import type { ErrorType } from "#contract/errors.ts";
import type { ConversationApi } from "#contract/api-type.ts";
import type { CallPolicy } from "../domain/keys/call-policy.ts";
import type { LedgerEntry } from "../domain/ledger/entry.ts";
import type { Candidate, Route } from "../domain/routing/routing.ts";
import type { ChatAnswer, ChatObject } from "../providers/provider.ts";
import type { Turn } from "../turns.ts";
import type { Attempts } from "./attempts.ts";
import type { HeardEvent } from "./chat/hearing.ts";
import type { Prompt } from "./chat/prompt.ts";
import type { ChatRequest } from "./chat/request.ts";
import type { SettledChat } from "./chat/settled.ts";
import type { ModelAnswer, ModelCall } from "./model-call.ts";
import type { CallContext } from "./record.ts";
import type { Headers, Piece } from "./sent.ts";

/** What of a call its form reads. */
export interface FormedCall {
  readonly context: CallContext;
  readonly request: ChatRequest;
  readonly policy: CallPolicy;
  readonly prompt: Prompt;
  readonly route: Route;
  readonly attempts: Pick<Attempts, "made">;
}

/**
 * The form in which a caller asks for a conversation to be continued, and is answered. There is one story of such a
 * call; what differs between the operations that tell it is only here, at its door.
 */
export interface CallerForm {
  /** what the ledger calls the operation */
  readonly apiType: ConversationApi;
  /** what that does not tell of it, for the call's record; absent: nothing */
  readonly operation?: LedgerEntry["operation"];
  /**
   * The request in the public chat form, which everything in between reads, together with what a provider that speaks
   * the caller's own dialect is sent instead.
   * @param defaultModel the model for a call that names none; null: such a call is refused
   * @throws Refusal invalid_request, naming the member and what would be right
   */
  read(call: ModelCall, defaultModel: string | null, turn: Turn): Promise<ChatRequest>;
  /** the status of an error in this form */
  statusOf(type: ErrorType): number;
  /** an answer's headers, apart from its type and the call's id. @param passed the provider's, where its answer is passed on */
  headers(call: Pick<FormedCall, "context">, passed: Headers): Headers;
  /** a whole answer's body, once it is settled */
  whole(run: FormedCall, answered: WholeAnswer): Promise<Exclude<ModelAnswer["body"], NodeJS.ReadableStream>>;
  /** one stream's writer; it may remember what it wrote */
  stream(run: FormedCall): StreamWriter;
}

/** A candidate's whole answer. */
export interface WholeAnswer extends Pick<ChatAnswer, "result"> {
  readonly candidate: Candidate;
  readonly settled: SettledChat;
  /** too long to be written in one go */
  readonly isLong: boolean;
  /** the provider's own bytes, for the caller; null: it speaks another dialect than the caller */
  readonly passed: Buffer | null;
}

export interface StreamWriter {
  /** what shows the caller, while nothing comes, that the call is alive */
  silence(): Piece;
  /** @param chunks what the event says in the public form */
  event(candidate: Candidate, heard: HeardEvent, chunks: readonly ChatObject[]): Iterable<Piece> | AsyncIterable<Piece>;
  /** the end of a stream that is settled */
  end(candidate: Candidate, settled: SettledChat): Iterable<Piece> | AsyncIterable<Piece>;
  /** the end of a stream that failed. @param model the one that was asked */
  error(model: string, error: unknown): Iterable<Piece> | AsyncIterable<Piece>;
}
