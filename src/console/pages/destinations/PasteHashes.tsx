import { useState } from "react";
import { getKey } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { ApiError } from "../../api/errors.ts";
import { explain } from "../../api/explain.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { readHashes } from "./hashes.ts";

interface PasteHashesProps {
  have: readonly string[];
  onAdd: (hashes: string[]) => void;
  onClose: () => void;
}

/** Takes a list of hashes, adds the keys that exist, and says which do not. */
export function PasteHashes({ have, onAdd, onClose }: PasteHashesProps) {
  const [text, setText] = useState("");
  const [pending, setPending] = useState(false);
  const [said, setSaid] = useState<string>();
  const { fresh, repeated, wrong } = readHashes(text, have);

  async function add(): Promise<void> {
    setPending(true);
    const found: string[] = [];
    const unknown: string[] = [];
    try {
      for (const hash of fresh) ((await isThere(hash)) ? found : unknown).push(hash);
    } catch (error) {
      setSaid(`The keys could not be looked up. ${explain(error).title}.`);
      return setPending(false);
    }
    setPending(false);
    if (found.length > 0) onAdd(found);
    if (unknown.length === 0) return onClose();
    setText(unknown.join("\n"));
    setSaid(
      `${found.length} added. No key here has ${unknown.length === 1 ? "this hash" : `these ${unknown.length} hashes`}.`,
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

async function isThere(hash: string): Promise<boolean> {
  try {
    await call(getKey, { params: { hash } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
