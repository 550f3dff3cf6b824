import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { deleteKey } from "#contract/keys.ts";
import type { deleteManagementKey } from "#contract/management-keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { deleteMadeKey, type ShownOnce } from "./make-key.ts";

interface KeyWithoutSecretProps {
  created: ShownOnce;
  remove: typeof deleteKey | typeof deleteManagementKey;
  onAgain: () => void;
  onBack: () => void;
}

/** A key that was made and whose value did not arrive: deletes it and sends the same again. */
export function KeyWithoutSecret({ created, remove, onAgain, onBack }: KeyWithoutSecretProps) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function deleteIt(): Promise<void> {
    setDeleting(true);
    setProblem(undefined);
    try {
      await deleteMadeKey(created.hash, remove);
      onAgain();
    } catch (error) {
      setProblem(`It was not deleted. ${errorText(error)}`);
    } finally {
      setDeleting(false);
      await refreshAfter(client, remove);
    }
  }
  return (
    <div className="grid gap-3">
      <Notice tone="warn" role="alert">
        The key was created but its value did not reach you. Delete it and try again.
      </Notice>
      <p className="text-fg-2">
        <b className="font-semibold text-fg-1">{created.name}</b>, <span className="mono">{created.label}</span>. A key
        that no one has still works until it is deleted or expires.
      </p>
      <ErrorAlert>{problem}</ErrorAlert>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" pending={deleting} onClick={() => void deleteIt()}>
          Delete it and try again
        </Button>
        <Button disabledReason={deleting && "The key is being deleted"} onClick={onBack}>
          Keep it, back to the form
        </Button>
      </div>
    </div>
  );
}
