import { lazy, Suspense, useState } from "react";
import { useReachable } from "../../api/connectivity.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { Button } from "../../ui/Button.tsx";
import { heightProperty } from "../../ui/height-property.ts";
import { withMod } from "../../ui/mod-key.ts";
import type { Change } from "./changes.ts";

const ReviewDialog = lazy(async () => ({ default: (await import("./ReviewDialog.tsx")).ReviewDialog }));

// notifications stay above the bar
const footHeight = heightProperty("--h-foot");

/** The bar may come up over the field that is being typed in. */
function comeUp(bar: HTMLDivElement): () => void {
  document.activeElement?.scrollIntoView({ block: "nearest" });
  return footHeight(bar);
}

interface SaveBarProps {
  changes: readonly Change[];
  isNew: boolean;
  /** it was deleted while it was edited */
  gone: boolean;
  saving: boolean;
  failure: unknown;
  /** nothing that was tested would be saved untested */
  untested: boolean;
  /** the call that saving makes, without its secrets */
  call: string;
  onSave: () => void;
  onDiscard: () => void;
  /** scrolls to somebody else's changes; undefined if there are none */
  onCompare: (() => void) | undefined;
}

/** At the foot of the window while there is something to save: what it is, in sentences. */
export function SaveBar({
  changes,
  isNew,
  gone,
  saving,
  failure,
  untested,
  call,
  onSave,
  onDiscard,
  onCompare,
}: SaveBarProps) {
  const { reason } = useReachable();
  const [reviewing, setReviewing] = useState(false);
  const count = `${changes.length} ${changes.length === 1 ? "change" : "changes"}`;
  const save = (
    <Button
      variant="primary"
      shortcut={withMod("↵")}
      pending={saving}
      disabledReason={gone ? "The destination no longer exists" : reason}
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
      ref={comeUp}
      role="region"
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-4 mt-auto border-t border-line-2 bg-bg-0"
    >
      {(failure !== null || onCompare) && (
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-8 pt-2 max-md:px-4">
          {failure === null ? (
            <p className="text-warn-fg">Someone else changed this in the meantime.</p>
          ) : (
            <FormFailure failure={failure} />
          )}
          {onCompare && (
            <Button size="sm" onClick={onCompare}>
              Compare
            </Button>
          )}
        </div>
      )}
      <div className="flex min-h-15 flex-wrap items-center gap-x-4 gap-y-2 px-8 py-2 max-md:px-4">
        <b className="font-semibold">{isNew ? "New destination" : count}</b>
        <p className="min-w-0 grow basis-40 truncate text-fg-2">
          {isNew
            ? untested
              ? "Not tested yet. You can still add it."
              : "Tested."
            : `${changes.map(({ text }) => text).join(". ")}.${untested ? " The new connection is not tested." : ""}`}
        </p>
        <div className="flex items-center gap-2">
          <Button variant="quiet" disabledReason={saving && "Saving"} onClick={onDiscard}>
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
