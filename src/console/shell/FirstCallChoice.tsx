import { Segmented } from "../ui/Segmented.tsx";
import type { FirstCallType, FirstSnippetsChoice } from "./use-first-snippets.ts";

const types: readonly { value: FirstCallType; label: string }[] = [
  { value: "chat", label: "Chat" },
  { value: "embedding", label: "Embeddings" },
];

/** What the first call is of; nothing where there is no choice. */
export function FirstCallChoice({ choice }: { choice: FirstSnippetsChoice }) {
  return (
    choice && (
      <div className="pb-2">
        <Segmented label="First call" size="sm" choices={types} value={choice.chosen} onChange={choice.choose} />
      </div>
    )
  );
}
