import { Readable } from "node:stream";
import { largestBody } from "#contract/generations.ts";
import type { KeptBody } from "../../domain/bodies/body.ts";
import { fitsInto } from "../../json-weight.ts";
import { joinInTurns, takeTurns } from "../../turns.ts";
import type { Piece } from "../sent.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelAnswer } from "../model-call.ts";
import type { CallContext } from "../record.ts";
import type { Caching } from "./caching.ts";
import type { AnswerFacts } from "./response-cache.ts";
import { withoutUsage } from "./without-usage.ts";

/** The longest answer that is cached, bytes. */
const mostBytes = 4 * 1_048_576;

interface RecordedCall {
  readonly context: CallContext;
  readonly caching: Caching | null;
}

/** What is known of an answer once it has ended well; null: it has not. */
type Ending = () => Omit<AnswerFacts, "id"> | null;

/** Passes a stream on and, once it has ended well, leaves it in the response cache, if its call uses that. */
export function recorded(
  deps: RelayDeps,
  call: RecordedCall,
  pieces: AsyncGenerator<Piece, void, void>,
  ending: Ending,
): AsyncGenerator<Piece, void, void> {
  return call.caching === null
    ? pieces
    : recording(deps, call.context, call.caching, { pieces, ending, streamed: true });
}

/** The same for any answer. */
export function recordedAnswer(deps: RelayDeps, call: RecordedCall, answer: ModelAnswer, ending: Ending): ModelAnswer {
  const { context, caching } = call;
  if (caching === null) return answer;
  const { body } = answer;
  if (body instanceof Readable) {
    const passed = recording(deps, context, caching, { pieces: body as AsyncIterable<Piece>, ending, streamed: false });
    return { ...answer, body: Readable.from(passed, { objectMode: false }) };
  }
  const gathered = new Gathered(context);
  for (const piece of typeof body === "string" ? [body] : body) gathered.add(piece);
  keep(deps, context, caching, { gathered, ending, streamed: false });
  return answer;
}

interface Recorded {
  readonly ending: Ending;
  /** it has the form of a stream */
  readonly streamed: boolean;
}

async function* recording(
  deps: RelayDeps,
  context: CallContext,
  caching: Caching,
  { pieces, ...rest }: Recorded & { readonly pieces: AsyncIterable<Piece> },
): AsyncGenerator<Piece, void, void> {
  const gathered = new Gathered(context);
  for await (const piece of pieces) {
    gathered.add(piece);
    yield piece;
  }
  keep(deps, context, caching, { gathered, ...rest });
}

/** An answer's bytes, as long as there is room for them. */
class Gathered {
  pieces: Buffer[] | null = [];
  private size = 0;
  private readonly context: CallContext;

  constructor(context: CallContext) {
    this.context = context;
  }

  add(piece: Piece): void {
    if (this.pieces === null) return;
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    const { room } = this.context.call;
    try {
      if (this.size + bytes.length > mostBytes) throw new RangeError("the answer is too long to be cached");
      room.take(bytes.length);
      this.size += bytes.length;
      this.pieces.push(bytes);
    } catch {
      this.pieces = null;
      room.give(this.size);
    }
  }
}

function keep(
  deps: RelayDeps,
  { id, workspaceId, call }: CallContext,
  { name, ttlSeconds }: Caching,
  { gathered, ending, streamed }: Recorded & { readonly gathered: Gathered },
): void {
  const facts = ending();
  const { pieces } = gathered;
  if (facts === null || pieces === null) return;
  const turn = takeTurns(call.credential.hash, { patient: true });
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const storedAt = deps.domain.now();
  const answer = joinInTurns(pieces, turn)
    .then((bytes) => withoutUsage(bytes, streamed, turn))
    .then((bytes) => ({ ...facts, id, bytes, storedAt, ttlSeconds }));
  deps.responseCache.keep(workspaceId, name, size, answer);
  // An answer that cannot be cached was given all the same.
  const made = answer.catch(() => {});
  call.until(made);
  deps.untilSettled(made);
}

/** The choices of an answer, if they can be kept with the calls that are given it. */
export function keptOutput(output: KeptBody["output"]): KeptBody["output"] {
  return output !== null && fitsInto(output, largestBody) ? output : null;
}
