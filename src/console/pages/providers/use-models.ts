import { useQueryClient } from "@tanstack/react-query";
import { type ProviderModel, type ProviderRecord, getProvider, updateProvider } from "#contract/providers.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import type { OfferedModel } from "../../api/providers.ts";

/**
 * Changes a provider's model list. The API takes the list as a whole, so it is read right before, and what another
 * admin added a minute ago is in it.
 */
export function useModels(slug: string) {
  const client = useQueryClient();
  return async (change: (models: readonly OfferedModel[]) => ProviderModel[]): Promise<ProviderRecord> => {
    const { data } = await call(getProvider, { params: { slug } });
    const changed = await call(updateProvider, { params: { slug }, body: { models: change(data.models) } });
    void refreshAfter(client, updateProvider);
    return changed.data;
  };
}
