import { X } from "lucide-react";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { blockCaption, type Block, type Part } from "./blocks.ts";

interface BlockTileProps {
  block: Block;
  /** counted from 1 */
  number: number;
  ticked: boolean;
  /** some tile is ticked, so that each shows its box */
  anyTicked: boolean;
  onTick: () => void;
  onOpen: () => void;
  onRemove: () => void;
}

/** A block as its pictures; one of texts alone is a line. A press opens it. */
export function BlockTile({ block, number, ticked, anyTicked, onTick, onOpen, onRemove }: BlockTileProps) {
  const { parts } = block;
  const words = blockCaption(block);
  const textual = parts.every(({ type }) => type === "text");
  const atHand = "opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100";
  return (
    <li className={cx("group relative min-w-0", textual && "col-span-full")}>
      <button
        type="button"
        onClick={onOpen}
        className={cx(
          "w-full min-w-0 rounded-1 text-left hover:bg-bg-3",
          ticked && "bg-accent-bg",
          textual && "flex h-8 items-center gap-2 border-b border-line pr-8 pl-8",
        )}
      >
        <span className="sr-only">Block {number}: </span>
        {!textual && <Faces parts={parts} />}
        {/* pictures have been named by then */}
        <span
          aria-hidden={textual ? undefined : true}
          className={cx("flex min-w-0 items-baseline gap-1.5", textual ? "grow" : "px-1 py-0.5 text-11")}
        >
          <span aria-hidden="true" className="text-fg-3 tabular-nums">
            {number}
          </span>
          <span className={cx("truncate", textual ? "" : "text-fg-2")}>{words || "empty"}</span>
        </span>
      </button>
      <Checkbox
        aria-label={`Choose block ${number}`}
        checked={ticked}
        onChange={onTick}
        className={cx("absolute left-0.5", textual ? "top-0.5" : "top-0", !anyTicked && atHand)}
      />
      <IconButton
        label={`Remove block ${number}`}
        className={cx("absolute top-0.5 right-0.5 size-6 bg-bg-1 max-md:size-6!", atHand)}
        onClick={onRemove}
      >
        <X size={12} aria-hidden="true" />
      </IconButton>
    </li>
  );
}

/** Up to four parts of a block in one square: what is joined is seen to be joined. */
function Faces({ parts }: { parts: readonly Part[] }) {
  const shown = parts.slice(0, 4);
  return (
    <span
      className={cx(
        "grid aspect-square w-full gap-px overflow-hidden rounded-1 border border-line bg-bg-2",
        shown.length > 1 && "grid-cols-2",
        shown.length > 2 && "grid-rows-2",
      )}
    >
      {shown.map((part, at) =>
        part.type === "image" && part.thumb !== null ? (
          <img key={part.id} src={part.thumb} alt={part.note || part.name} className="size-full min-h-0 object-cover" />
        ) : (
          <span key={part.id} className="grid min-h-0 place-items-center text-12 text-fg-3">
            <span className="sr-only">{part.type === "image" ? part.note || part.name : part.text}</span>
            <span aria-hidden="true">
              {at === 3 && parts.length > 4 ? `+${parts.length - 3}` : part.type === "image" ? "URL" : "Text"}
            </span>
          </span>
        ),
      )}
    </span>
  );
}
