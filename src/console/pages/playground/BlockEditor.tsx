import { ChevronUp, X } from "lucide-react";
import { useState } from "react";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { makeText, readImage, type Block, type ImagePart, type Part } from "./blocks.ts";
import { imageLabel } from "./image-labels.ts";
import { unreadWords } from "./use-pictures.ts";

interface BlockEditorProps {
  block: Block;
  /** counted from 0 */
  place: number;
  count: number;
  shrink: boolean;
  onChange: (parts: Part[]) => void;
  onMove: (by: -1 | 1) => void;
  onSplit: () => void;
  onRemove: () => void;
  /** null where nothing but this block is there */
  onClose: (() => void) | null;
}

/** One block with all of its parts. What is added in here joins its vector. */
export function BlockEditor(props: BlockEditorProps) {
  const { block, place, count, shrink, onChange, onMove, onSplit, onRemove, onClose } = props;
  const [trouble, setTrouble] = useState<string | null>(null);
  const name = `block ${place + 1}`;
  const { parts } = block;
  const swap = (part: Part) => onChange(parts.map((old) => (old.id === part.id ? part : old)));
  async function join(file: File | undefined) {
    if (!file) return;
    setTrouble(null);
    try {
      onChange([...parts, await readImage(file, shrink)]);
    } catch {
      setTrouble(unreadWords([file.name]));
    }
  }
  return (
    <li className="col-span-full border-y border-line-2 py-2">
      <fieldset className="grid gap-2">
        <legend className="contents">
          <span className="flex items-center gap-2">
            <span className="font-semibold first-letter:uppercase">{name}</span>
            <span className="grow text-12 text-fg-3">one vector</span>
            <MoveButtons name={name} place={place} count={count} onMove={onMove} />
            <IconButton label={`Remove ${name}`} onClick={onRemove}>
              <X size={14} aria-hidden="true" />
            </IconButton>
            {onClose && (
              <IconButton label={`Close ${name}`} onClick={onClose}>
                <ChevronUp size={14} aria-hidden="true" />
              </IconButton>
            )}
          </span>
        </legend>
        {parts.map((part, index) => (
          <div key={part.id} className="flex items-start gap-1">
            {part.type === "text" ? (
              <TextArea
                aria-label={`Text ${index + 1} of ${name}`}
                className="grow"
                rows={2}
                value={part.text}
                onChange={(event) => swap({ ...part, text: event.target.value })}
              />
            ) : (
              <Picture part={part} name={`image ${index + 1} of ${name}`} shrink={shrink} onChange={swap} />
            )}
            {parts.length > 1 && (
              <>
                <MoveButtons
                  name={`part ${index + 1} of ${name}`}
                  place={index}
                  count={parts.length}
                  onMove={(by) => onChange(parts.toSpliced(index, 1).toSpliced(index + by, 0, part))}
                />
                <IconButton
                  label={`Remove part ${index + 1} of ${name}`}
                  onClick={() => onChange(parts.toSpliced(index, 1))}
                >
                  <X size={14} aria-hidden="true" />
                </IconButton>
              </>
            )}
          </div>
        ))}
        {trouble && <FieldError>{trouble}</FieldError>}
        <div className="flex flex-wrap items-center gap-2 text-12">
          <span className="text-fg-3">To this vector:</span>
          <Button size="sm" onClick={() => onChange([...parts, makeText()])}>
            Join a text
          </Button>
          <label className="relative inline-flex h-7 items-center rounded-2 border border-line-2 bg-bg-0 px-2.5 hover:bg-bg-3 has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-9">
            Join an image
            <input
              type="file"
              aria-label={`Join an image to ${name}`}
              accept="image/png,image/jpeg,image/webp"
              className="absolute inset-0 opacity-0"
              onChange={(event) => {
                void join(event.target.files?.[0]);
                event.target.value = "";
              }}
            />
          </label>
          {parts.length > 1 && <LinkButton onClick={onSplit}>Split into {parts.length} vectors</LinkButton>}
        </div>
      </fieldset>
    </li>
  );
}

interface PictureProps {
  part: ImagePart;
  name: string;
  shrink: boolean;
  onChange: (part: ImagePart) => void;
}

function Picture({ part, name, shrink, onChange }: PictureProps) {
  return (
    <div className="flex min-w-0 grow gap-2.5">
      {part.sent && <img src={part.url} alt={part.note || part.name} className="size-16 rounded-1 object-cover" />}
      <div className="grid min-w-0 grow gap-1">
        <span className="truncate text-12">{part.name}</span>
        <span className="text-12 text-fg-3">{imageLabel(part, shrink)}</span>
        <TextInput
          size="sm"
          aria-label={`Note on ${name}`}
          placeholder="Note (not sent)"
          value={part.note}
          onChange={(event) => onChange({ ...part, note: event.target.value })}
        />
      </div>
    </div>
  );
}
