import { memo, useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { withMod } from "../../ui/mod-key.ts";
import { counted } from "../../format.ts";
import { AnswerView } from "./AnswerView.tsx";
import type { Turn } from "./chat.ts";
import type { TurnErrorPlace } from "./turn-error.ts";

interface TurnViewProps {
  turn: Turn;
  /** its place in the conversation, from 0, and how many turns come after it */
  at: number;
  after: number;
  recordOf: (model: string) => ModelRecord | undefined;
  place: Omit<TurnErrorPlace, "model">;
  /** why nothing can be sent now */
  refused: string | null;
  /** sends the turn again in its place; what came after it goes */
  onSend: (at: number, text: string, images: readonly string[]) => void;
}

/** A message and what was answered, one or two columns of it. */
export const TurnView = memo(function TurnView({ turn, at, after, recordOf, place, refused, onSend }: TurnViewProps) {
  const [edited, setEdited] = useState<string | null>(null);
  const { text, images, cells } = turn;
  const goes = after === 0 ? "" : `Removes the ${after === 1 ? "turn" : counted(after, "turn")} after it`;
  function send() {
    if (edited === null || refused !== null) return;
    setEdited(null);
    onSend(at, edited, images);
  }
  return (
    <section
      aria-label={`Turn ${at + 1}`}
      className="grid gap-3 border-t border-line px-(--pane-x) py-4 first:border-t-0"
    >
      {edited === null ? (
        <div className="grid gap-2 border-l-2 border-accent pl-3">
          {text !== "" && (
            <p dir="auto" className="font-semibold wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
          )}
          <Images images={images} />
          <p className="flex flex-wrap gap-x-4 text-12">
            <LinkButton onClick={() => setEdited(text)}>Edit</LinkButton>
            <LinkButton
              aria-disabled={refused !== null || undefined}
              onClick={() => refused === null && onSend(at, text, images)}
            >
              Send again
            </LinkButton>
            {goes !== "" && <span className="self-center text-fg-3">{goes}</span>}
          </p>
        </div>
      ) : (
        <div className="grid gap-2">
          <TextArea
            aria-label={`Message of turn ${at + 1}`}
            value={edited}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
            autoFocus
            onChange={(event) => setEdited(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setEdited(null);
              else if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              else send();
              event.preventDefault();
              event.stopPropagation();
            }}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button size="sm" shortcut={withMod("↵")} disabledReason={refused} onClick={send}>
              Send again
            </Button>
            <Button size="sm" variant="quiet" onClick={() => setEdited(null)}>
              Cancel
            </Button>
            {goes !== "" && <span className="text-12 text-fg-3">{goes}</span>}
          </div>
        </div>
      )}
      <div className={cx("grid gap-x-8 gap-y-5", cells.length > 1 && "@min-[700px]/talk:grid-cols-2")}>
        {cells.map((cell) => (
          <AnswerView key={`${turn.id}-${cell.lane}`} cell={cell} record={recordOf(cell.model)} place={place} />
        ))}
      </div>
    </section>
  );
});

/** The images of a message. */
export function Images({ images, onRemove }: { images: readonly string[]; onRemove?: (index: number) => void }) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-2">
      {images.map((url, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="grid justify-items-start gap-1">
          <img src={url} alt={`Attachment ${index + 1}`} className="h-16 max-w-40 border border-line object-contain" />
          {onRemove && (
            <LinkButton className="text-12" onClick={() => onRemove(index)}>
              Remove<span className="sr-only"> image {index + 1}</span>
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}
