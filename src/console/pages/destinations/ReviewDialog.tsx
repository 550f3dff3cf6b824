import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import type { Change } from "./changes.ts";

interface ReviewDialogProps {
  title: string;
  changes: readonly Change[];
  untested: boolean;
  /** the call that saving makes, without its secrets */
  call: string;
  /** the button that saves */
  save: ReactNode;
  onClose: () => void;
}

/** Every change in a sentence, and the call that makes them. */
export function ReviewDialog({ title, changes, untested, call, save, onClose }: ReviewDialogProps) {
  return (
    <Dialog
      title={title}
      outside="dismiss"
      onDismiss={onClose}
      className="w-150"
      footer={
        <>
          {save}
          <Button onClick={onClose}>Back to the form</Button>
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
            Only what changed is sent: null clears a field; a field that is absent keeps its value. Secrets are named,
            not shown.
          </p>
        </Disclosure>
      </div>
    </Dialog>
  );
}
