import { type CreateProviderBody, createProvider } from "#contract/providers.ts";
import type { Api } from "#gateway/testing/api-client.ts";

type ProviderModel = NonNullable<CreateProviderBody["models"]>[number];

/** A provider that speaks OpenAI's dialect, named as its slug is, unless `provider` says otherwise. */
export async function addProvider(
  api: Api,
  provider: Partial<CreateProviderBody> & Pick<CreateProviderBody, "slug" | "base_url" | "models">,
): Promise<void> {
  await api(createProvider, { body: { name: provider.slug, kind: "openai-compatible", ...provider } });
}

/** An embedding model of four dimensions, as most journeys need one. */
export function embeddingModel(id: string, more: Partial<ProviderModel> = {}): ProviderModel {
  return { id, upstream_id: "embed-small", type: "embedding", dimensions: 4, ...more };
}
