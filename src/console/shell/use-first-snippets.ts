import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { everyProvider } from "../api/providers.ts";
import { query } from "../api/query.ts";
import { firstChatModel, firstModel } from "./first-model.ts";
import { callSnippets, gatewayBaseUrl } from "./snippets.ts";

export type FirstCallType = "chat" | "embedding";

/**
 * A first call in each language: a chat, as soon as this gateway offers a chat model, or else an embedding with a
 * built-in model. Where both are there, the person chooses.
 */
export function useFirstSnippets() {
  const embedding = useQuery(query(listEmbeddingModels, {}));
  const chat = firstChatModel(useQuery(everyProvider).data?.data);
  const [chosen, choose] = useState<FirstCallType>("chat");
  const model = chat === undefined || chosen === "embedding" ? firstModel(embedding.data?.data) : chat;
  return {
    snippets: callSnippets(gatewayBaseUrl(), model),
    /** null: there is nothing to choose */
    choice: chat === undefined ? null : { chosen, choose },
  };
}
export type FirstSnippetsChoice = ReturnType<typeof useFirstSnippets>["choice"];
