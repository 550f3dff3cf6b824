import { lazy, Suspense } from "react";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { CorrectionList } from "../../form/CorrectionList.tsx";
import { DraftOffer } from "../../form/DraftOffer.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { goTo } from "./editor.ts";
import { memberTitle } from "./member-title.ts";
import type { Editor } from "./use-editor.ts";
import type { MadeChange } from "./use-let-through.ts";
import type { UnsavedEdits } from "./use-unsaved-edits.ts";

const DeliveryErrors = lazy(async () => ({ default: (await import("./DeliveryErrors.tsx")).DeliveryErrors }));
const ConflictNotice = lazy(async () => ({ default: (await import("./ConflictNotice.tsx")).ConflictNotice }));

interface EditorNoticesProps {
  editor: Editor;
  /** it was deleted while it was edited */
  gone: boolean;
  health: DestinationHealth | undefined;
  unsaved: UnsavedEdits;
  /** what was changed for a call that was held back */
  letThrough: MadeChange | null;
}

/** What the editor says before its fields: a destination that is gone, settings that cannot be opened, a failing delivery, a conflict, a change made for a call, a draft found, what to correct. */
export function EditorNotices({ editor, gone, health, unsaved, letThrough }: EditorNoticesProps) {
  const { type, base, dirty, problems } = editor;
  const unreadable = health?.config_problem ?? null;
  return (
    <>
      {gone && dirty && (
        <div className="px-8 pb-3 max-md:px-4">
          <Notice tone="bad" role="alert">
            This destination was deleted. What you entered stays here until you leave; it can no longer be saved. Copy
            what you need, then discard it.
          </Notice>
        </div>
      )}
      {unreadable && (
        <div className="px-8 pb-3 max-md:px-4">
          <Notice tone="bad" role="status">
            {unreadable}. That is why the fields below are empty. Enter the connection again and save; calls are kept
            until then.
          </Notice>
        </div>
      )}
      {base && !gone && !unreadable && health?.status === "failing" && (
        <Suspense>
          <DeliveryErrors destination={base} health={health} where="editor" />
        </Suspense>
      )}
      {editor.conflict && base && (
        <Suspense>
          <ConflictNotice editor={editor} base={base} conflict={editor.conflict} />
        </Suspense>
      )}
      {letThrough?.applies && (dirty || letThrough.changes.length === 0) && (
        <div className="px-8 pb-3 max-md:px-4">
          <Notice tone="warn" role="status">
            {letThrough.changes.length === 0
              ? "No change to these settings would let that call through, or none is needed."
              : `Changed but not saved: ${letThrough.changes.join(". ")}. Calls like ${letThrough.generation} then pass.`}
          </Notice>
        </div>
      )}
      {unsaved.offer && (
        <div className="px-8 pb-3 max-md:px-4">
          <DraftOffer {...unsaved.offer} note="Secrets and extra headers were not kept." />
        </div>
      )}
      {editor.tried && (
        <div className="px-8 pb-3 empty:pb-0 max-md:px-4">
          <CorrectionList
            corrections={Object.entries(problems).map(([path, message]) => ({
              field: path,
              label: memberTitle(path, type),
              message,
            }))}
            goTo={goTo}
          />
        </div>
      )}
    </>
  );
}
