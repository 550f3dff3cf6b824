import { type BatchRow, type ResultRow, results, secretOf } from "../../domain/calls/batches.ts";
import { openRequest, openResult } from "../../domain/calls/batch-content.ts";
import type { MessagesErrorEnvelope } from "#contract/messages.ts";
import type { BatchForm } from "../../domain/generation-id.ts";
import type { Deps } from "../../domain/context.ts";

type ReadDeps = Pick<Deps, "store" | "secrets">;

/** The results of a batch that has ended, each as JSON in a dialect. @throws WrongSecretKey */
export async function* resultLines(
  deps: ReadDeps,
  batch: BatchRow,
  form: BatchForm,
): AsyncGenerator<Buffer, void, void> {
  const { key } = secretOf(deps, batch);
  const line = form === "messages" ? messageLine : publicLine;
  for await (const row of results(deps, batch)) yield line(key, batch, row);
}

function publicLine(key: string, { id: batchId, form }: BatchRow, { n, state, sealed }: ResultRow): Buffer {
  const place = { batchId, n };
  if (state === "cancelled" || state === "expired") {
    const { customId } = openRequest(key, place, sealed);
    const error = { code: null, type: state, message: unmade[state], param: null };
    return Buffer.from(JSON.stringify({ custom_id: customId, id: `${batchId}-${n}`, response: null, error }));
  }
  const { customId, generationId, requestId, status, body } = openResult(key, place, sealed);
  const head = JSON.stringify({ custom_id: customId, id: generationId ?? requestId }).slice(0, -1);
  return state === "failed"
    ? around(`${head},"response":null,"error":`, form === "messages" ? publicError(status, body) : body, "}")
    : around(
        `${head},"response":${JSON.stringify({ status_code: status, request_id: requestId }).slice(0, -1)},"body":`,
        body,
        '},"error":null}',
      );
}

/** The error of a batch in Anthropic's dialect, for an admin. */
function publicError(status: number | null, body: Buffer): Buffer {
  const { error } = JSON.parse(body.toString("utf8")) as MessagesErrorEnvelope;
  const { error_type: type = error.type, message } = error;
  return Buffer.from(JSON.stringify({ code: status, type, message, param: null }));
}

const unmade = {
  cancelled: "The batch was cancelled before this call was made",
  expired: "The batch's time was over before this call was made",
} as const;

function messageLine(key: string, { id: batchId }: BatchRow, { n, state, sealed }: ResultRow): Buffer {
  const place = { batchId, n };
  if (state === "cancelled" || state === "expired") {
    const { customId } = openRequest(key, place, sealed);
    const type = state === "cancelled" ? "canceled" : "expired";
    return Buffer.from(JSON.stringify({ custom_id: customId, result: { type } }));
  }
  const { customId, body } = openResult(key, place, sealed);
  const head = `{"custom_id":${JSON.stringify(customId)},"result":{"type":`;
  return state === "failed"
    ? around(`${head}"errored","error":`, body, "}}")
    : around(`${head}"succeeded","message":`, body, "}}");
}

const around = (before: string, body: Buffer, after: string) =>
  Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);
