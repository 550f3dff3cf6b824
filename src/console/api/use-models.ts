import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { type ProviderModel, type ProviderRecord, getProvider, updateProvider } from "#contract/providers.ts";
import { refreshAfter } from "./action.ts";
import { call, callTagged, ifMatch } from "./call.ts";
import { ApiError } from "./errors.ts";
import type { OfferedModel } from "./providers.ts";

type Change = (models: readonly OfferedModel[]) => ProviderModel[];

/** Changes a provider's model list. The API takes the list as a whole: what another admin adds meanwhile stays in it. */
export function useModels(slug: string) {
  const client = useQueryClient();
  return (change: Change): Promise<ProviderRecord> => changeModels(client, slug, change);
}

/** The same of a provider that is only known by then. */
export async function changeModels(client: QueryClient, slug: string, change: Change): Promise<ProviderRecord> {
  const changed = await changeLatest(slug, change);
  void refreshAfter(client, updateProvider);
  return changed;
}

const mostTries = 3;

async function changeLatest(slug: string, change: Change, tries = 1): Promise<ProviderRecord> {
  const { answer, etag } = await callTagged(getProvider, { params: { slug } });
  const input = { params: { slug }, body: { models: change(answer.data.models) } };
  try {
    return (await call(updateProvider, input, { headers: ifMatch(etag) })).data;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409) || tries === mostTries) throw error;
    return await changeLatest(slug, change, tries + 1);
  }
}
