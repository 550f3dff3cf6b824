import { useQuery } from "@tanstack/react-query";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { query } from "../api/query.ts";
import { firstModel } from "./first-model.ts";
import { callSnippets, gatewayBaseUrl } from "./snippets.ts";

/** A first call in each language, with a built-in model that this gateway offers. */
export function useFirstSnippets(): ReturnType<typeof callSnippets> {
  const models = useQuery(query(listEmbeddingModels, {}));
  return callSnippets(gatewayBaseUrl(), firstModel(models.data?.data));
}
