import { useState } from "react";
import { explain } from "../../api/error-messages.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { readHashes } from "./hashes.ts";
import { existingKeys } from "./use-key-names.ts";

interface PasteHashesProps {
  have: readonly string[];
  /** whose keys may be added; undefined: of any workspace */
  workspaceId: string | undefined;
  onAdd: (hashes: string[]) => void;
  onClose: () => void;
}

/** Takes a list of hashes, adds the keys that exist, and says which do not. */
export function PasteHashes({ have, workspaceId, onAdd, onClose }: PasteHashesProps) {
  const [text, setText] = useState("");
  const [pending, setPending] = useState(false);
  const [said, setSaid] = useState<string>();
  const { fresh, repeated, wrong } = readHashes(text, have);

  async function add(): Promise<void> {
    setPending(true);
    let there: ReadonlySet<string>;
    try {
      there = await existingKeys(fresh, workspaceId);
    } catch (error) {
      setSaid(`The keys could not be looked up. ${explain(error).title}.`);
      return setPending(false);
    }
    setPending(false);
    const found = fresh.filter((hash) => there.has(hash));
    const unknown = fresh.filter((hash) => !there.has(hash));
    if (found.length > 0) onAdd(found);
    if (unknown.length === 0) return onClose();
    setText(unknown.join("\n"));
    setSaid(
      `${found.length} added. No key of this workspace has ${unknown.length === 1 ? "this hash" : `these ${unknown.length} hashes`}.`,
    );
  }

  return (
    <Dialog
      title="Paste hashes"
      description="One or many, separated by anything: 64 hexadecimal digits each."
      onDismiss={onClose}
      busy={pending}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void add();
      }}
      footer={
        <>
          <Button
            type="submit"
            variant="primary"
            pending={pending}
            disabledReason={fresh.length === 0 && "There is no new hash in the text"}
          >
            {fresh.length === 1 ? "Add 1 key" : `Add ${fresh.length} keys`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <div className="grid gap-2 pt-3">
        <Field
          label="Hashes"
          hint={[
            repeated > 0 && `${repeated} listed already.`,
            wrong.length > 0 && `Not a hash: ${wrong.slice(0, 3).join(", ")}${wrong.length > 3 ? " and more" : ""}.`,
          ]
            .filter(Boolean)
            .join(" ")}
        >
          {(control) => (
            <TextArea
              {...control}
              mono
              rows={5}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <p role="status" className="text-12 text-warn-fg">
          {said}
        </p>
      </div>
    </Dialog>
  );
}
