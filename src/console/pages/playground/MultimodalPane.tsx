import { X } from "lucide-react";
import { useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { asSent, makeBlock, makeText, readImage, remoteImage, smallerSide } from "./blocks.ts";
import type { Block, ImagePart, Part } from "./blocks.ts";
import type { InputProps } from "./InputPane.tsx";
import { pictureWords } from "./picture-words.ts";
import { change } from "./playground.ts";

/** Blocks of texts and pictures in order; each block gives one vector. */
export function MultimodalPane({ playground: { store } }: InputProps) {
  const { blocks, shrink } = useStore(store);
  const put = (next: readonly Block[]) => change(store, { blocks: next.length > 0 ? next : [makeBlock()] });
  return (
    <div className="min-h-0 grow overflow-y-auto px-8 py-3 max-md:px-4">
      <Switch
        label={`Make pictures over ${formatCount(smallerSide)} px smaller`}
        checked={shrink}
        onChange={(on) => change(store, { shrink: on, blocks: blocks.map((block) => resent(block, on)) })}
      />
      {blocks.map((block, index) => (
        <BlockEditor
          key={block.id}
          block={block}
          name={`block ${index + 1}`}
          shrink={shrink}
          onChange={(parts) => put(store.get().blocks.map((old) => (old.id === block.id ? { ...old, parts } : old)))}
          latest={() => store.get().blocks.find(({ id }) => id === block.id)?.parts ?? []}
          aside={
            <>
              <MoveButtons
                name={`block ${index + 1}`}
                place={index}
                count={blocks.length}
                onMove={(by) => put(blocks.toSpliced(index, 1).toSpliced(index + by, 0, block))}
              />
              <IconButton label={`Remove block ${index + 1}`} onClick={() => put(blocks.toSpliced(index, 1))}>
                <X size={14} aria-hidden="true" />
              </IconButton>
            </>
          }
        />
      ))}
      <Button className="mt-3" onClick={() => put([...blocks, makeBlock()])}>
        Add a block
      </Button>
    </div>
  );
}

const resent = (block: Block, shrink: boolean): Block => ({
  ...block,
  parts: block.parts.map((part) => (part.type === "image" ? asSent(part, shrink) : part)),
});

interface BlockEditorProps {
  block: Block;
  name: string;
  shrink: boolean;
  aside: React.ReactNode;
  latest: () => readonly Part[];
  onChange: (parts: Part[]) => void;
}

function BlockEditor({ block, name, shrink, aside, latest, onChange }: BlockEditorProps) {
  const [address, setAddress] = useState("");
  const [trouble, setTrouble] = useState<string | null>(null);
  const { parts } = block;
  const swap = (part: Part) => onChange(parts.map((old) => (old.id === part.id ? part : old)));
  async function take(files: readonly File[]) {
    setTrouble(null);
    for (const file of files) {
      try {
        onChange([...latest(), await readImage(file, shrink)]);
      } catch {
        setTrouble(`${file.name} is not a picture that this browser can read. PNG, JPEG and WebP work.`);
      }
    }
  }
  function addAddress() {
    if (!/^https?:\/\/\S+$/.test(address)) return setTrouble("An address begins with https:// or http://");
    setTrouble(null);
    setAddress("");
    return onChange([...parts, remoteImage(address)]);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping and pasting have buttons as twins
    <fieldset
      className="mt-3 grid gap-2 border-t border-line-2 pt-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take([...event.dataTransfer.files]);
      }}
      onPaste={(event) => {
        if (event.clipboardData.files.length === 0) return;
        event.preventDefault();
        void take([...event.clipboardData.files]);
      }}
    >
      <legend className="contents">
        <span className="flex items-center gap-2">
          <span className="font-semibold first-letter:uppercase">{name}</span>
          <span className="grow text-12 text-fg-3">one vector</span>
          {aside}
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
            <Picture part={part} name={`picture ${index + 1} of ${name}`} shrink={shrink} onChange={swap} />
          )}
          <MoveButtons
            name={`part ${index + 1} of ${name}`}
            place={index}
            count={parts.length}
            onMove={(by) => onChange(parts.toSpliced(index, 1).toSpliced(index + by, 0, part))}
          />
          <IconButton label={`Remove part ${index + 1} of ${name}`} onClick={() => onChange(parts.toSpliced(index, 1))}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {trouble && <FieldError>{trouble}</FieldError>}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => onChange([...parts, makeText()])}>
          Add text
        </Button>
        <label className="relative inline-flex h-7 items-center rounded-2 border border-line-2 bg-bg-0 px-2.5 text-12 hover:bg-bg-3 has-focus-visible:outline-2 has-focus-visible:outline-focus">
          Add a picture
          <input
            type="file"
            aria-label={`Add a picture to ${name}`}
            accept="image/png,image/jpeg,image/webp"
            multiple
            className="absolute inset-0 opacity-0"
            onChange={(event) => {
              void take([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </label>
        <TextInput
          size="sm"
          className="min-w-32 grow"
          aria-label={`Address of a picture for ${name}`}
          placeholder="or an address, fetched by the provider"
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") addAddress();
          }}
        />
        <Button size="sm" onClick={addAddress} disabledReason={address === "" && "Enter an address first"}>
          Add
        </Button>
      </div>
    </fieldset>
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
        <span className="text-12 text-fg-3">{pictureWords(part, shrink)}</span>
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
