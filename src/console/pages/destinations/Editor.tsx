import { useChildMatches } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { DestinationType } from "#contract/destination-kinds.ts";
import { createDestination, updateDestination, type DestinationRecord } from "#contract/destinations.ts";
import { apiPath } from "../../api/base.ts";
import { callPath } from "../../api/call.ts";
import { useLeaveGuard } from "../../form/leave-guard.ts";
import { useSubmitKeys } from "../../form/submit-keys.ts";
import { paths } from "../../paths.ts";
import { useLeaveDeleted } from "../../shell/leave-deleted.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { callText } from "./api-call.ts";
import { changesOf, type Change } from "./changes.ts";
import { showConflict } from "./conflict-id.ts";
import { createBody, updateBody } from "./draft.ts";
import { EditorHead } from "./EditorHead.tsx";
import { EditorNotices } from "./EditorNotices.tsx";
import { EditorSections } from "./EditorSections.tsx";
import { EditorPipeline } from "./EditorPipeline.tsx";
import { EditorQuestions } from "./EditorQuestions.tsx";
import { SaveBar } from "./SaveBar.tsx";
import { SectionNav } from "./SectionNav.tsx";
import type { SectionId } from "./sections.ts";
import { sectionOf } from "./settings.ts";
import type { Versioned } from "./use-destination.ts";
import { useEditor } from "./use-editor.ts";
import { useForecast } from "./use-forecast.ts";
import { keyWords, useKeyNames } from "./use-key-names.ts";
import { useLetThrough } from "./use-let-through.ts";
import { useSaving } from "./use-saving.ts";
import { useSectionOfAddress } from "./use-section-of-address.ts";
import { useConnectionTest } from "./use-connection-test.ts";
import { useUnsavedEdits } from "./use-unsaved-edits.ts";
import { whatIsAdded } from "./what-is-added.ts";

interface EditorProps {
  type: DestinationType;
  /** null for a new destination */
  stored: Versioned | null;
  /** what the gateway has now */
  latest: Versioned | undefined;
  /** it was deleted while it was open */
  gone: boolean;
  /** after a save that contained a secret: the caller remounts the form, so that none of it stays in memory */
  onSecretSaved: () => void;
}

// The form comes first; what it would send follows, and what few need is fetched by them.
const PayloadPreview = lazy(async () => ({ default: (await import("./PayloadPreview.tsx")).PayloadPreview }));

const none: readonly string[] = [];

/** The form over one destination, and what it would send. */
export function Editor({ type, stored, latest, gone, onSecretSaved }: EditorProps) {
  const workspace = useWorkspace();
  const [chosenWorkspace, setChosenWorkspace] = useState<string>();
  const workspaceId =
    stored?.record.workspace_id ??
    chosenWorkspace ??
    (workspace.record === undefined ? undefined : workspace.record.id);
  const editor = useEditor({ type, stored, latest, workspaceId });
  const { base, draft, dirty, problems } = editor;
  const unsaved = useUnsavedEdits(editor);
  const letThrough = useLetThrough(editor);
  const guard = useLeaveGuard(editor.saving ? "hold" : dirty ? "ask" : "free");
  const test = useConnectionTest(editor);
  const saving = useSaving({ editor, guard, gone, forgetTest: test.run.forget, onSecretSaved });
  // a panel over it closes first
  const alone = useChildMatches().length === 0;
  useLeaveDeleted(gone && alone && !dirty && !editor.saving, base?.name, paths.destinations(workspace.path));
  useSubmitKeys("page", saving.begin);
  useSectionOfAddress();

  const forecast = useForecast(editor, workspaceId);
  const { estimate, health, preview, savedPreview, incomplete, missing, nextCall } = forecast;
  const names = useKeyNames(touchedKeys(base, draft.api_key_hashes));
  const passing = missing === null && !estimate.isStale ? (estimate.data?.data.passing_per_day ?? null) : null;
  const known = { passing, keyName: (hash: string) => keyWords(hash, names.get(hash), undefined) };
  const changes: Change[] = base ? changesOf(base, draft, known) : whatIsAdded(type, draft, known);

  const edited = new Set<SectionId>(base ? changes.map(({ path }) => sectionOf(path)) : []);
  const wrong = new Set<SectionId>(
    Object.keys(problems)
      .filter((path) => editor.problem(path) !== undefined)
      .map(sectionOf),
  );

  const call = base
    ? callText(
        "PATCH",
        apiPath(callPath(updateDestination, { params: { id: base.id } })),
        updateBody(base, draft),
        draft,
      )
    : callText("POST", apiPath(createDestination.path), createBody(type, draft, workspaceId), draft);
  return (
    <div className="-mt-6 flex min-h-[calc(100vh-48px-var(--h-bar,0px))] flex-col pt-6">
      <EditorHead type={type} base={base} gone={gone} health={health.data?.data} healthFailed={health.isError} />
      <EditorPipeline editor={editor} forecast={forecast} />
      <EditorNotices editor={editor} gone={gone} health={health.data?.data} unsaved={unsaved} letThrough={letThrough} />
      <SectionNav edited={edited} wrong={wrong} />
      <form
        noValidate
        autoComplete="off"
        aria-label={base ? `Settings of ${base.name}` : "Settings of the new destination"}
        onSubmit={(event) => {
          event.preventDefault();
          saving.begin();
        }}
        // the focused element must not be hidden behind the bars at the top and bottom of the window
        className="[&_:is(input,select,textarea,button,[tabindex])]:scroll-mt-28 [&_:is(input,select,textarea,button,[tabindex])]:scroll-mb-24 grid grid-cols-[minmax(0,640px)_minmax(380px,1fr)] gap-14 px-8 pt-2 pb-10 max-xl:gap-8 max-[1100px]:grid-cols-1 max-md:px-4"
      >
        <EditorSections
          editor={editor}
          forecast={forecast}
          test={test}
          edited={edited}
          workspaceId={workspaceId}
          chosenWorkspace={chosenWorkspace}
          onWorkspace={setChosenWorkspace}
          traced={letThrough?.position}
        />
        <div className="pt-4.5">
          <div className="sticky top-24">
            <Suspense>
              <PayloadPreview
                asked={preview}
                incomplete={incomplete}
                missing={missing}
                onNext={nextCall}
                before={savedPreview}
                draft={draft}
                form={base === null ? "new" : dirty ? "edited" : "saved"}
              />
            </Suspense>
          </div>
        </div>
      </form>
      {(dirty || base === null) && (
        <SaveBar
          changes={changes}
          isNew={base === null}
          gone={gone}
          saving={editor.saving}
          failure={editor.failure}
          untested={(base === null || edited.has("connection")) && !test.passed}
          call={call}
          onSave={saving.begin}
          onCompare={editor.conflict ? showConflict : undefined}
          onDiscard={saving.askToDiscard}
        />
      )}
      <EditorQuestions
        isNew={base === null}
        saving={saving}
        guard={guard}
        onLeave={() => {
          unsaved.forget();
          guard.leave();
        }}
      />
    </div>
  );
}

/** The few keys that a sentence about the change may name. */
function touchedKeys(base: DestinationRecord | null, hashes: readonly string[] | null): readonly string[] {
  if (hashes === null) return none;
  if (base === null) return hashes.slice(0, 4);
  const before = base.api_key_hashes;
  if (before === null) return none;
  return [...hashes.filter((hash) => !before.includes(hash)), ...before.filter((hash) => !hashes.includes(hash))].slice(
    0,
    4,
  );
}
