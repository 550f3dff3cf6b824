import { FairQueue } from "../../../fair-queue.ts";
import { TooLong } from "../model-pool.ts";
import type { EncodedText, TextAnswer } from "./messages.ts";

/** The model cannot answer now. */
export class SemanticUnavailable extends Error {
  override readonly name = "SemanticUnavailable";
  readonly retryAfterSeconds: number;
  constructor(why: string, waitMs: number) {
    super(why);
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  }
}

export interface EmbedOptions {
  /** whose texts they are, such as a key's hash: owners who wait take turns */
  readonly owner: string;
  readonly truncate: boolean;
  /** aborts when the caller leaves */
  readonly signal: AbortSignal;
}

interface Call {
  readonly encoded: (EncodedText | null)[];
  readonly truncate: boolean;
  missing: number;
  isOver: boolean;
  readonly resolve: (encoded: readonly EncodedText[]) => void;
  readonly reject: (reason: unknown) => void;
}

export interface WaitingText {
  readonly call: Call;
  readonly index: number;
  readonly text: string;
}

/** Of one owner, as many texts as one call may have; of all together, four times as many. */
const mostOfOne = 16_384;
const mostOfAll = 65_536;
/** Of a batch: so much that passing it on costs nothing, so little that others have their turn within a second. */
const mostTexts = 16;
const mostWeight = 2_048;
/** The first 128 tokens are about so many characters; the rest is only counted, 32 times as fast. */
const readCharacters = 512;

/** The texts that wait for the model: calls wait for all of theirs, and owners take turns text by text. */
export class TextQueue {
  private readonly waiting = new FairQueue<WaitingText>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Resolves when each text was given to `settle`. @throws SemanticUnavailable when too many wait; TooLong */
  async add(texts: readonly string[], { owner, truncate, signal }: EmbedOptions): Promise<readonly EncodedText[]> {
    const { size } = this.waiting;
    if (size + texts.length > mostOfAll || this.waiting.sizeOf(owner) + texts.length > mostOfOne) {
      throw new SemanticUnavailable("too many texts are waiting for it", 5_000);
    }
    const { promise, resolve, reject } = Promise.withResolvers<readonly EncodedText[]>();
    const encoded = texts.map(() => null);
    const call: Call = { encoded, truncate, missing: texts.length, isOver: false, resolve, reject };
    for (const [index, text] of texts.entries()) this.waiting.push(owner, { call, index, text });
    const leave = () => refuse(call, signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    return await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Texts of owners in turn, without those of calls that are over; empty when none wait. */
  nextBatch(): readonly WaitingText[] {
    const texts: WaitingText[] = [];
    let weight = 0;
    while (texts.length < mostTexts && weight < mostWeight) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      if (next.call.isOver) continue;
      texts.push(next);
      weight += Math.min(next.text.length, readCharacters) + next.text.length / 32;
    }
    return texts;
  }

  refuseAll(reason: SemanticUnavailable): void {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) refuse(next.call, reason);
  }
}

export function settle({ call, index }: WaitingText, answer: TextAnswer | undefined): void {
  if (call.isOver || answer === undefined) return;
  if (answer.type === "tooLong") return refuse(call, new TooLong(index, answer.tokens));
  call.encoded[index] = answer;
  call.missing -= 1;
  if (call.missing > 0) return;
  call.isOver = true;
  call.resolve(call.encoded.flatMap((each) => each ?? []));
}

export function refuse(call: Call, reason: unknown): void {
  if (call.isOver) return;
  call.isOver = true;
  call.reject(reason);
}
