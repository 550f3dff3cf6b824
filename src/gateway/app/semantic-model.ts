import type { Deps } from "../domain/context.ts";
import { offerSemanticModel, semanticModelId } from "../domain/providers/semantic-model.ts";
import { modelFolder, packageName } from "../providers/local/semantic/model-files.ts";
import { createSemanticModel, type SemanticModel } from "../providers/local/semantic/semantic-model.ts";

export interface OpenSemanticModel {
  /** null where its package is not installed */
  readonly model: SemanticModel | null;
  /** says in one line what is missing; null where nothing is */
  readonly missing: string | null;
}

/** Offers the built-in semantic model. Nothing of it is loaded before the first call. */
export async function openSemanticModel(
  deps: Deps,
  warn: (message: string, details: object) => void,
  folder = modelFolder(),
): Promise<OpenSemanticModel> {
  await offerSemanticModel(deps, folder !== null);
  if (folder !== null) return { model: createSemanticModel({ folder, warn }), missing: null };
  const missing = `The model ${semanticModelId} is not there: the optional package ${packageName} is not installed (npm install adds it).`;
  return { model: null, missing };
}
