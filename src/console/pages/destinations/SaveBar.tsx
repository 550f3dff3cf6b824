import { useState } from "react";
import { useReachable } from "../../api/reachable.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import type { Change } from "./changes.ts";

interface SaveBarProps {
  changes: readonly Change[];
  isNew: boolean;
  saving: boolean;
  failure: unknown;
  /** nothing that was tested would be saved untested */
  untested: boolean;
  /** the call that saving makes, without its secrets */
  call: string;
  onSave: () => void;
  onDiscard: () => void;
}

const apple = () => /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** At the foot of the window while there is something to save: what it is, in sentences. */
export function SaveBar({ changes, isNew, saving, failure, untested, call, onSave, onDiscard }: SaveBarProps) {
  const { reason } = useReachable();
  const [reviewing, setReviewing] = useState(false);
  const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  const save = (
    <Button
      variant="primary"
      shortcut={apple() ? "⌘↵" : "Ctrl ↵"}
      pending={saving}
      disabledReason={reason}
      onClick={() => {
        setReviewing(false);
        onSave();
      }}
    >
      {isNew ? "Add destination" : "Save"}
    </Button>
  );
  return (
    <div
      role="region"
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-4 mt-auto border-t border-line-2 bg-bg-0"
    >
      {failure !== null && (
        <div className="px-8 pt-2 max-md:px-4">
          <FormFailure failure={failure} />
        </div>
      )}
      <div className="flex min-h-15 flex-wrap items-center gap-x-4 gap-y-2 px-8 py-2 max-md:px-4">
        <b className="font-semibold">{isNew ? "New destination" : count}</b>
        <p className="min-w-0 grow basis-40 truncate text-fg-2">
          {isNew
            ? untested
              ? "Not tested yet. It can be added all the same."
              : "Tested."
            : `${changes.map(({ text }) => text).join(". ")}.${untested ? " The new connection is not tested." : ""}`}
        </p>
        <div className="flex items-center gap-2">
          <Button variant="quiet" disabledReason={saving && "It is being saved"} onClick={onDiscard}>
            Discard
          </Button>
          <Button onClick={() => setReviewing(true)}>Review</Button>
          {save}
        </div>
      </div>
      {reviewing && (
        <Dialog
          title={isNew ? "What is added" : count}
          outside="dismiss"
          onDismiss={() => setReviewing(false)}
          className="w-150"
          footer={
            <>
              {save}
              <Button onClick={() => setReviewing(false)}>Back to the form</Button>
            </>
          }
        >
          <ul className="grid gap-1.5 pt-2">
            {changes.map(({ path, text, grave }) => (
              <li key={`${path} ${text}`} className={grave ? "break-words text-warn-fg" : "break-words"}>
                {text}.
              </li>
            ))}
          </ul>
          {untested && <p className="pt-2 text-12 text-warn-fg">This connection never passed a test.</p>}
          <div className="pt-3">
            <Disclosure summary="As an API call">
              <CodeBlock label="The API call" size="sm" copy tokens={highlight(call, "json")} />
              <p className="pt-1.5 text-12 text-fg-3">
                Only what changed is sent: null clears a member, one that is absent keeps its value. Secrets are named,
                not shown.
              </p>
            </Disclosure>
          </div>
        </Dialog>
      )}
    </div>
  );
}
