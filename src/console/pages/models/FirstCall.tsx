import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { ModelType } from "#contract/model-type.ts";
import { paths } from "../../paths.ts";
import { callSnippets, type ChatForm, gatewayBaseUrl, snippetTokens } from "../../shell/snippets.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Segmented } from "../../ui/Segmented.tsx";

const forms: readonly { value: ChatForm; label: string; clients: string }[] = [
  { value: "chat", label: "Chat", clients: "Most clients ask in this form, OpenAI’s and OpenRouter’s among them." },
  { value: "messages", label: "Messages", clients: "Anthropic’s clients and Claude Code ask in this form." },
  { value: "responses", label: "Responses", clients: "OpenAI’s newer clients and Codex ask in this form." },
];

/** A call that can be copied; of a chat model in each of the forms in which it can be asked. */
export function FirstCall({ id, type }: { id: string; type: ModelType }) {
  const { path } = useWorkspace();
  const [form, setForm] = useState<ChatForm>("chat");
  const snippets = useMemo(() => snippetTokens(callSnippets(gatewayBaseUrl(), { id, type }, form)), [id, type, form]);
  return (
    <div className="flex max-w-180 flex-col gap-3">
      {type === "chat" && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Segmented label="Form of the call" size="sm" choices={forms} value={form} onChange={setForm} />
          <p className="text-fg-2">{forms.find(({ value }) => value === form)?.clients}</p>
        </div>
      )}
      <CodeTabs label={`A call to ${id}`} snippets={snippets} />
      {type === "chat" && (
        <p className="text-fg-2">
          Or{" "}
          <Link to={paths.playgroundChat(path)} search={{ model: id }} className={`${linkTextClass} underline`}>
            chat with it in the playground
          </Link>
          , which needs no key.
        </p>
      )}
    </div>
  );
}
