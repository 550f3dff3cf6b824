import type { JudgedVectors } from "../model-call.ts";
import { Refusal } from "../../domain/refusal.ts";
import { BadAnswer, type RawVector } from "../../providers/provider.ts";
import type { EmbeddingsRun } from "./run.ts";
import { checkVector, type VectorOrJson } from "./vectors.ts";

/** Shows the vectors to the call's maker, where that is the gateway itself. @throws Refusal for what is no vector */
export function judgeVectors({ context, progress, request }: EmbeddingsRun): void {
  const { call, id } = context;
  if (call.judge === undefined) return;
  const vectors = request.items.map((_, index) => numbersOf(progress.vectorAt(index)));
  progress.findings = call.judge({ id, vectors, space: [...progress.spaces].join(", ") });
}

function numbersOf(vector: VectorOrJson): JudgedVectors["vectors"][number] {
  const isJson = typeof vector !== "string" && "json" in vector;
  try {
    return checkVector(isJson ? (JSON.parse(vector.json.toString("latin1")) as RawVector) : vector);
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    throw new Refusal("provider_unavailable", `The provider's answer is not usable: ${error.message}`);
  }
}
