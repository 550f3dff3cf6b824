import type { Candidate } from "../../domain/routing/routing.ts";
import type { EmbeddingItem, Usage } from "../../providers/provider.ts";
import type { PassedThrough } from "./pass-through.ts";
import type { EmbeddingsRequest } from "./request.ts";
import type { Vector } from "./vectors.ts";

/** Inputs that go into one call to a candidate. */
export interface Part {
  readonly candidate: Candidate;
  /** the run's request, for inputs of the part's type */
  readonly request: EmbeddingsRequest;
  /** of the inputs in the request. If they are all of it, the answer's bytes may be passed on unchanged */
  readonly positions: readonly number[];
  readonly items: readonly EmbeddingItem[];
}

/** One answer of a vendor. */
export interface UpstreamVectors {
  /** null when the answer's own bytes are passed on, in `data` */
  readonly vectors: readonly Vector[] | null;
  /** the answer's own bytes, in the format asked for */
  readonly data: PassedThrough | null;
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
  /** the vendor's own name of the model; null: it does not say */
  readonly model: string | null;
  /** the id of the vectors' space */
  readonly space: string;
  /** for each vector, whether its text is in a language that the model does not know; absent where it cannot tell */
  readonly unfamiliar?: readonly boolean[];
}

/** One answer of a built-in model. */
export interface LocalVectors extends Omit<UpstreamVectors, "data" | "model" | "space"> {
  readonly vectors: readonly Float32Array[];
}
