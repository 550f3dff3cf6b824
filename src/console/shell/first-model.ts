import type { ModelType } from "#contract/model-type.ts";

export interface CalledModel {
  id: string;
  type: ModelType;
}

/** Built-in models need no provider, so that a first call runs on a fresh install: the one of meaning, as in the README … */
const ofMeaning: CalledModel = { id: "gatehouse/semantic-en", type: "embedding" };
/** … or, where its weights were not installed, the one of wording. */
const ofWording: CalledModel = { id: "gatehouse/lexical", type: "embedding" };

/** @param offered the models that can be embedded with; undefined: not known yet */
export function firstModel(offered: readonly { id: string }[] | undefined): CalledModel {
  return offered === undefined || offered.some(({ id }) => id === ofMeaning.id) ? ofMeaning : ofWording;
}

interface Offering {
  enabled: boolean;
  models: readonly { id: string; type: ModelType; enabled: boolean }[];
}

/** The first chat model that a provider offers now, in the order that an admin gave them. */
export function firstChatModel(providers: readonly Offering[] | undefined): CalledModel | undefined {
  const offered = (providers ?? []).flatMap(({ enabled, models }) => (enabled ? models : []));
  const chat = offered.find(({ type, enabled }) => type === "chat" && enabled);
  return chat && { id: chat.id, type: chat.type };
}
