import { Readable } from "node:stream";
import { toUsd } from "#contract/money.ts";
import type { Settlement } from "../../domain/ledger/ledger.ts";
import { takeTurns } from "../../turns.ts";
import type { ModelAnswer } from "../model-call.ts";
import type { EmbeddingsRun } from "./run.ts";
import { jsonOf, type VectorOrJson } from "./vectors.ts";

export function writeAnswer(run: EmbeddingsRun, settlement: Settlement): ModelAnswer {
  return {
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-generation-id": run.context.id,
      "x-vector-space": [...run.progress.spaces].join(", "),
    },
    body: answerBody(run, settlement),
  };
}

/** The public API's answer. Vectors are written as they came if they already have the requested form. */
function answerBody(run: EmbeddingsRun, { own, byok }: Settlement): ModelAnswer["body"] {
  const { context, progress, request } = run;
  const { promptTokens, imageTokens, cachedTokens, served, vectors } = progress;
  const details = {
    ...(imageTokens > 0 ? { text_tokens: promptTokens - imageTokens, image_tokens: imageTokens } : {}),
    ...(cachedTokens > 0 ? { cached_tokens: cachedTokens } : {}),
  };
  const usage = {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens,
    cost: toUsd(own + byok),
    is_byok: served !== null && served.byok !== null,
    ...(Object.keys(details).length === 0 ? {} : { prompt_tokens_details: details }),
  };
  const tail = `,"usage":${JSON.stringify(usage)}${warningsOf(run)}}`;
  const head = `{"id":"${context.id}","object":"list","model":${JSON.stringify(request.model)},"data":`;
  if (progress.data !== null) return [Buffer.from(head), progress.data, Buffer.from(tail)];
  if (vectors.reduce((sum, vector) => sum + sizeOf(vector), 0) <= mostAtOnce) {
    const data = vectors.map((_, index) => vectorJson(run, index));
    return [Buffer.from(`${head}[${data.join(",")}]${tail}`)];
  }
  const written = pieces(run, `${head}[`, `]${tail}`);
  return Readable.from(written, { objectMode: false, highWaterMark: pieceLength });
}

/** The member that names the inputs whose vectors say little; empty where there are none. */
function warningsOf({ progress, request }: EmbeddingsRun): string {
  if (progress.unfamiliar.size === 0) return "";
  const inputs = [...progress.unfamiliar].toSorted((a, b) => a - b);
  const message = `${request.model} knows English only, and these inputs look like another language: their vectors say little`;
  return `,"warnings":${JSON.stringify([{ code: "unfamiliar_language", message, inputs }])}`;
}

/** Numbers that are printed in one go. */
const mostAtOnce = 16_384;

/** About as many numbers as a vector has; one that is JSON already only needs to be copied. */
function sizeOf(vector: VectorOrJson | null): number {
  if (vector === null) return 0;
  return typeof vector !== "string" && "json" in vector ? vector.json.length / 64 : vector.length;
}

/** Characters of one piece. */
const pieceLength = 65_536;

/** Written as the caller reads it, in turns: the numbers of a large batch take seconds to print. */
async function* pieces(run: EmbeddingsRun, head: string, tail: string): AsyncGenerator<Buffer> {
  const turn = takeTurns(run.turn.owner, { patient: true });
  let text = head;
  turn.begin();
  for (let index = 0; index < run.progress.vectors.length; index += 1) {
    text += `${index === 0 ? "" : ","}${vectorJson(run, index)}`;
    if (turn.isOver()) await turn.next();
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = "";
    turn.begin();
  }
  yield Buffer.from(text + tail);
}

function vectorJson({ progress, request }: EmbeddingsRun, index: number): string {
  return `{"object":"embedding","index":${index},"embedding":${jsonOf(progress.vectorAt(index), request.format)}}`;
}
