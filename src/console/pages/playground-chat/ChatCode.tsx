import { useMemo, useState } from "react";
import { gatewayBaseUrl, snippetTokens } from "../../shell/snippets.ts";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { saidTurns } from "./chat.ts";
import { bodySnippets, type Dialect, requestIn } from "./chat-code.ts";
import { messagesOf } from "./messages.ts";
import type { ChatSetup } from "./use-chat-setup.ts";

const dialects: readonly { value: Dialect; label: string }[] = [
  { value: "chat", label: "Chat" },
  { value: "messages", label: "Messages" },
  { value: "responses", label: "Responses" },
];

/** The next call as a program would make it: with the conversation so far, in the form that its client speaks. */
export function ChatCode({ setup: { state, lanes, chosen } }: { setup: ChatSetup }) {
  const [dialect, setDialect] = useState<Dialect>("chat");
  const [lane, setLane] = useState("0");
  const { system, turns, draft, images } = state;
  const at = Math.min(Number(lane), lanes.length - 1);
  const asked = lanes[at];
  const request = useMemo(() => {
    const said = saidTurns(turns);
    // without a new message, the call that was made last
    const isNew = draft.trim() !== "" || images.length > 0 || said.length === 0;
    const next = isNew
      ? { text: draft || "Say hello in one word.", images }
      : (said.at(-1) ?? { text: "", images: [] });
    const messages = messagesOf(system, isNew ? said : said.slice(0, -1), next, at);
    return asked && requestIn(dialect, { model: asked.model, messages, more: asked.more });
  }, [system, turns, draft, images, at, asked, dialect]);
  if (!request) return null;
  const snippets = bodySnippets(gatewayBaseUrl() + request.path, shortened(request.body));
  const { dropped } = request;
  return (
    <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-y-auto px-(--pane-x) py-4">
      <div className="flex flex-wrap gap-3">
        <Segmented label="Form of the call" size="sm" choices={dialects} value={dialect} onChange={setDialect} />
        {lanes.length > 1 && (
          <Segmented
            label="Model"
            size="sm"
            choices={chosen.map((model, index) => ({ value: String(index), label: model ?? "" }))}
            value={String(at)}
            onChange={setLane}
          />
        )}
      </div>
      <CodeTabs label="This request" snippets={snippetTokens(snippets)} />
      {dropped.length > 0 && (
        <p className="text-12 text-fg-2">This form has no place for {dropped.join(", ")}: left out here.</p>
      )}
      {hasImages(request.body) && <p className="text-12 text-fg-2">Images are cut short in the code.</p>}
    </div>
  );
}

const longImage = 200;

/** The same with the bytes of images cut, which would be the whole of the code. */
const shortened = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name: string, value: unknown) =>
    typeof value === "string" && value.length > longImage && (name === "data" || value.startsWith("data:image/"))
      ? `${value.slice(0, 40)}…`
      : value,
  );

const hasImages = (body: unknown) => JSON.stringify(body) !== JSON.stringify(shortened(body));
