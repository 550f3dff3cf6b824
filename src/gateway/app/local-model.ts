import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Deps } from "../domain/context.ts";
import { localModelId, offerLocalModel, withdrawLocalModels } from "../domain/providers/local-model.ts";
import { type LocalModel, startLocalModel } from "../providers/local/model-pool.ts";

export interface OpenLocalModel {
  readonly model: LocalModel;
  /** resolves, once the outcome is known, to a line that says whether the model works */
  readonly outcome: Promise<string>;
}

/** Starts the model that GATEHOUSE_LOCAL_MODEL names, and lists it once it is loaded. Null where none is named. */
export async function openLocalModel(
  deps: Deps,
  { localModel: name, localModelProcesses, dataDir }: Pick<Config, "localModel" | "localModelProcesses" | "dataDir">,
): Promise<OpenLocalModel | null> {
  await withdrawLocalModels(deps, name);
  if (name === null) return null;
  const model = startLocalModel({ model: name, home: join(dataDir, "local-model") }, localModelProcesses);
  const outcome = model.loaded.then(
    async (facts) => {
      await offerLocalModel(deps, name, facts);
      return `The local model ${name} is listed as ${localModelId(name)}: ${facts.dimensions} dimensions, ${facts.contextLength} tokens.`;
    },
    (error: Error) => `The local model ${name} (GATEHOUSE_LOCAL_MODEL) is not there: ${error.message}.`,
  );
  return {
    model,
    outcome: outcome.catch((error: Error) => `The local model ${name} could not be listed: ${error.message}.`),
  };
}
