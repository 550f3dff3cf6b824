import { lazy, Suspense, useEffect, useState } from "react";
import { useReachable } from "../../api/reachable.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { Button } from "../../ui/Button.tsx";
import { withMod } from "../../ui/mod-key.ts";
import type { Change } from "./changes.ts";

const ReviewDialog = lazy(async () => ({ default: (await import("./ReviewDialog.tsx")).ReviewDialog }));

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

/** At the foot of the window while there is something to save: what it is, in sentences. */
export function SaveBar({ changes, isNew, saving, failure, untested, call, onSave, onDiscard }: SaveBarProps) {
  const { reason } = useReachable();
  const [reviewing, setReviewing] = useState(false);
  // it may have come up over the field that is being typed in
  useEffect(() => {
    // newer browsers answer with a promise, which is no cleanup
    document.activeElement?.scrollIntoView({ block: "nearest" });
  }, []);
  const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  const save = (
    <Button
      variant="primary"
      shortcut={withMod("↵")}
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
        <Suspense>
          <ReviewDialog
            title={isNew ? "What is added" : count}
            changes={changes}
            untested={untested}
            call={call}
            save={save}
            onClose={() => setReviewing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
