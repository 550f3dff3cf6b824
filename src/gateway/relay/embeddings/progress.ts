import type { Attempt } from "../../domain/ledger/attempt.ts";
import type { Trace } from "../../domain/ledger/trace.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { FailedCall } from "../upstream-refusal.ts";
import type { KnownVector } from "./cache.ts";
import { costFor } from "./estimate.ts";
import type { VectorOrJson } from "./vectors.ts";

/** A call's results so far. It grows while the call runs; everything in it was spent, whatever happens to the rest. */
export class Progress {
  /** by position; null while missing */
  readonly vectors: (VectorOrJson | null)[];
  /** the token count for the vector at each position */
  readonly tokens: number[] = [];
  /** positions of texts in a language that the model does not know */
  readonly unfamiliar = new Set<number>();
  /** the ids of the vectors' spaces */
  readonly spaces = new Set<string>();
  /** the JSON of all vectors, when one answer's bytes are passed on */
  data: Buffer | null = null;
  promptTokens = 0;
  imageTokens = 0;
  /** the part of the prompt tokens that belongs to inputs that were not sent */
  cachedTokens = 0;
  cachedInputs = 0;
  /** of these, what the durable cache had */
  storedInputs = 0;
  cost = 0n;
  byokCost = 0n;
  /** what the inputs that were not sent would have cost */
  saved = 0n;
  storedSaved = 0n;
  meteredBy: "upstream" | "gateway" = "upstream";
  priced = true;
  /** what the call's maker found in the vectors; null: it did not look */
  findings: Trace | null = null;
  latencyMs: number | null = null;
  /** the provider's own name of the model that answered; null: no provider was asked */
  responseModel: string | null = null;
  /** the provider that served it; the last one if there were several */
  served: Candidate | null = null;
  readonly attempts: Attempt[] = [];
  readonly failed: FailedCall[] = [];

  constructor(inputs: number) {
    this.vectors = Array.from({ length: inputs }, () => null);
  }

  /** The vector at a position. @throws Error while it is missing */
  vectorAt(position: number): VectorOrJson {
    const vector = this.vectors[position] ?? null;
    if (vector === null) throw new Error(`vector ${position} is missing`);
    return vector;
  }

  /** Adds a vector that need not be fetched. */
  reuse(
    position: number,
    { json, promptTokens, space, unfamiliar, isStored }: KnownVector,
    candidate: Candidate | undefined,
  ): void {
    this.vectors[position] = { json };
    this.spaces.add(space);
    if (unfamiliar === true) this.unfamiliar.add(position);
    const saved = this.countUnsent(position, promptTokens, candidate);
    if (isStored !== true) return;
    this.storedInputs += 1;
    this.storedSaved += saved;
  }

  /** Copies the vector of an equal, earlier input. */
  repeat(position: number, earlier: number, candidate: Candidate | undefined): void {
    this.vectors[position] = this.vectorAt(earlier);
    if (this.unfamiliar.has(earlier)) this.unfamiliar.add(position);
    this.countUnsent(position, this.tokens[earlier] ?? 0, candidate);
  }

  private countUnsent(position: number, promptTokens: number, candidate: Candidate | undefined): bigint {
    this.tokens[position] = promptTokens;
    this.promptTokens += promptTokens;
    this.cachedTokens += promptTokens;
    this.cachedInputs += 1;
    const prices = candidate?.model.prices ?? null;
    const saved = prices === null ? 0n : costFor(prices, promptTokens, 0, 0);
    this.saved += saved;
    return saved;
  }
}
