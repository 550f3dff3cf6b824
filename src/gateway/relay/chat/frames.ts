import { type ErrorType, errorStatus, publicErrorType } from "#contract/errors.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import { shortEventData } from "../answer-body.ts";
import type { Piece } from "../sent.ts";
import { asAsked } from "./answer-form.ts";
import type { PassedFrame } from "./hearing.ts";
import type { FormedCall } from "../caller-form.ts";

/**
 * A chunk for the caller; a long one is written in turns.
 * @param size characters of the provider's event that it was read from
 */
export async function* chunkFrame(
  run: FormedCall,
  { model }: Candidate,
  chunk: ChatObject,
  size: number,
): AsyncGenerator<string | Buffer, void, void> {
  const shown = asAsked(chunk, run);
  if (size <= shortEventData) return yield frame(run, model.id, shown);
  yield* longFrame(run, "data: ", framed(run, model.id, shown));
}

/** An event that is too long to be written in one go. @param lead what stands before its data */
export async function* longFrame(
  run: FormedCall,
  lead: string,
  data: object,
): AsyncGenerator<string | Buffer, void, void> {
  yield lead;
  yield* await writeJsonInTurns(data, takeTurns(run.context.call.credential.hash, { patient: true }));
  yield "\n\n";
}

/** An event of a stream that is passed on. */
export function* passedFrame({ name, data }: PassedFrame): Generator<Piece, void, void> {
  const lead = name === "" ? "data: " : `event: ${name}\ndata: `;
  if (typeof data === "string") return yield `${lead}${data}\n\n`;
  yield lead;
  yield data;
  yield "\n\n";
}

export function frame(run: FormedCall, model: string, chunk: Record<string, unknown>): string {
  return `data: ${JSON.stringify(framed(run, model, chunk))}\n\n`;
}

function framed({ context }: FormedCall, model: string, chunk: Record<string, unknown>) {
  const created = Math.floor(context.createdAt.getTime() / 1_000);
  return { created, ...chunk, id: context.id, object: "chat.completion.chunk", model };
}

export function errorFrame(run: FormedCall, model: string, error: unknown): string {
  return frame(run, model, {
    error: errorMembers(run, error),
    choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
  });
}

/** What a stream says of its failure. */
export function errorMembers(run: FormedCall, error: unknown) {
  const refusal = error instanceof Refusal ? error : new Refusal("server", "Internal error");
  const type: ErrorType = refusal.type;
  const { provider_name, provider_code } = refusal.details;
  return {
    code: errorStatus[type],
    message: refusal.message,
    metadata: {
      error_type: publicErrorType(type),
      request_id: run.context.call.requestId,
      ...(typeof provider_name === "string" ? { provider_name } : {}),
      ...(typeof provider_code === "string" ? { provider_code } : {}),
    },
  };
}
