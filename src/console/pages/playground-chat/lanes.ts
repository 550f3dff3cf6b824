import type { ModelRecord } from "#contract/models.ts";
import type { PresetRecord } from "#contract/presets.ts";
import type { ComboOption } from "../../ui/listbox.ts";
import { isPriced, priceWords } from "./cost.ts";

const presetMark = "@preset/";

/** What can be asked: the workspace's presets first, then every chat model that is offered. */
export function laneOptions(models: readonly ModelRecord[], presets: readonly PresetRecord[]): ComboOption[] {
  return [
    ...presets.flatMap(({ slug, name, model, status }) => {
      if (status !== "active") return [];
      const record = models.find(({ id }) => id === model);
      return {
        value: presetMark + slug,
        label: presetMark + slug,
        detail: [model ?? "", record ? priceWords(record.pricing) : ""].filter(Boolean).join(" · "),
        keywords: name,
        group: "Presets",
        disabledReason: model === null ? "It names no model" : undefined,
      };
    }),
    ...models.map((model) => ({
      value: model.id,
      label: model.id,
      detail: priceWords(model.pricing),
      keywords: model.name,
      group: "Models",
    })),
  ];
}

/** The model behind what was chosen; undefined where it is not listed. */
export function modelOf(
  chosen: string,
  models: readonly ModelRecord[],
  presets: readonly PresetRecord[],
): ModelRecord | undefined {
  const id = chosen.startsWith(presetMark) ? presets.find(({ slug }) => presetMark + slug === chosen)?.model : chosen;
  return models.find((model) => model.id === id);
}

interface LimitedKey {
  limit: number | null;
  limit_watch_only: boolean;
}

/** What is said before sending of a model whose calls cannot be priced. */
export function unpricedWords(model: ModelRecord | undefined, key: LimitedKey | undefined): string | null {
  if (model === undefined || isPriced(model.pricing)) return null;
  // the playground's key is made with a limit
  const isLimited = key === undefined || (key.limit !== null && !key.limit_watch_only);
  return isLimited
    ? `${model.id} has no price, and the key has a limit: the gateway will refuse the call.`
    : `${model.id} has no price: calls are not charged to any limit, and their cost is not known.`;
}

/** Why nothing can be sent now; null: it can. */
export function whyNotSend(state: {
  busy: boolean;
  written: boolean;
  models: readonly (string | undefined)[];
  knowsWorkspace: boolean;
  reachable: boolean;
  extra: string | null;
}): string | null {
  if (state.busy) return "An answer is coming: stop it first";
  if (state.models.includes(undefined)) return "Choose a model first";
  if (!state.written) return "Write a message first";
  if (state.extra !== null) return `More members: ${state.extra}`;
  if (!state.knowsWorkspace) return "The workspaces are loading";
  return state.reachable ? null : "The gateway cannot be reached";
}
