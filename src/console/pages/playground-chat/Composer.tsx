import { useId, useRef } from "react";
import { formatUsd } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { withMod } from "../../ui/mod-key.ts";
import { TextArea } from "../../ui/TextArea.tsx";
import { toast } from "../../ui/toast.ts";
import { imageTypes, readImages } from "./attach-images.ts";
import type { Chat, ChatState } from "./chat.ts";
import { Images } from "./TurnView.tsx";

interface ComposerProps {
  chat: Chat;
  state: ChatState;
  /** why nothing can be sent now */
  refused: string | null;
  onSend: () => void;
}

/** The next message, and what the conversation has cost. */
export function Composer({ chat, state, refused, onSend }: ComposerProps) {
  const { draft, images, busy, spent, unknown, turns } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  async function attach(files: readonly File[]) {
    const read = await readImages(files, chat.store.get().images.length);
    chat.change({ images: [...chat.store.get().images, ...read.images] });
    if (read.problem !== null) toast({ message: "Not every file was attached.", detail: read.problem });
  }
  return (
    <section
      aria-label="Next message"
      className="grid shrink-0 gap-2 border-t border-line-2 bg-bg-1 px-(--pane-x) py-3"
    >
      <Images
        images={images}
        onRemove={(index) => {
          chat.change({ images: images.filter((_, at) => at !== index) });
          field.current?.focus();
        }}
      />
      <TextArea
        ref={field}
        id={id}
        rows={2}
        aria-label="Message"
        placeholder="Write a message"
        dir="auto"
        value={draft}
        onChange={(event) => chat.change({ draft: event.target.value })}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        {busy > 0 ? (
          <Button variant="primary" shortcut="esc" onClick={chat.stop}>
            Stop
          </Button>
        ) : (
          <Button variant="primary" shortcut={withMod("↵")} disabledReason={refused} onClick={onSend}>
            Send
          </Button>
        )}
        <Button onClick={() => input.current?.click()}>Attach images</Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={imageTypes}
          onChange={(event) => {
            void attach([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        {turns.length > 0 && (
          <Button variant="quiet" onClick={chat.clear}>
            New conversation
          </Button>
        )}
        {(spent > 0 || unknown > 0) && (
          <span className="ml-auto text-12 text-fg-2 tabular-nums">
            {formatUsd(spent)} spent in this conversation
            {unknown > 0 && `, without ${unknown === 1 ? "one call" : `${unknown} calls`} of unknown cost`}
          </span>
        )}
      </div>
    </section>
  );
}
