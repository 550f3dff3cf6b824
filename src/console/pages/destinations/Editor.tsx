import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { DestinationType } from "#contract/destination-kinds.ts";
import { createDestination, updateDestination } from "#contract/destinations.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { useAction } from "../../api/action.ts";
import { apiPath } from "../../api/base.ts";
import { callPath } from "../../api/call.ts";
import { useReachable } from "../../api/reachable.ts";
import { useLeaveGuard } from "../../form/leave-guard.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { callText } from "./api-call.ts";
import { BasicsSection } from "./BasicsSection.tsx";
import { changesOf } from "./changes.ts";
import type { Change } from "./changes.ts";
import { connectionTest } from "./connection-test.ts";
import { ConnectionSection } from "./ConnectionSection.tsx";
import { createBody, holdsSecret, newDraft, undoBody, updateBody } from "./draft.ts";
import { EditorHead } from "./EditorHead.tsx";
import { totals } from "./health.ts";
import { KeysSection } from "./KeysSection.tsx";
import { PipelineStrip } from "./PipelineStrip.tsx";
import { PrivacySection } from "./PrivacySection.tsx";
import { questionOf } from "./question.ts";
import type { SaveQuestion } from "./question.ts";
import { RulesSection } from "./RulesSection.tsx";
import { SamplingSection } from "./SamplingSection.tsx";
import { SaveBar } from "./SaveBar.tsx";
import { Section } from "./Section.tsx";
import { SectionNav, showSection } from "./SectionNav.tsx";
import { sectionOf } from "./sections.ts";
import type { SectionId } from "./sections.ts";
import type { Versioned } from "./use-destination.ts";
import { useEditor } from "./use-editor.ts";
import { useForecast } from "./use-forecast.ts";
import { keyWords, useKeyNames } from "./use-key-names.ts";
import { useSaveKeys, useSectionOfAddress } from "./use-page.ts";
import { useTest } from "./use-test.ts";

interface EditorProps {
  type: DestinationType;
  /** null for a new destination */
  stored: Versioned | null;
  /** what the gateway has now */
  latest: Versioned | undefined;
  /** after a save that held a secret: the caller lays the form anew, so that nothing of it stays in memory */
  onSecretSaved: () => void;
}

// The form comes first; what it would send follows, and what few need is fetched by them.
const WhatLeaves = lazy(async () => ({ default: (await import("./WhatLeaves.tsx")).WhatLeaves }));
const ConflictNotice = lazy(async () => ({ default: (await import("./ConflictNotice.tsx")).ConflictNotice }));

const none: readonly string[] = [];

/** The form over one destination, beside what it would send. Sections stand in the order of the pipeline. */
export function Editor({ type, stored, latest, onSecretSaved }: EditorProps) {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { reason } = useReachable();
  const [chosenWorkspace, setChosenWorkspace] = useState<string>();
  const workspaceId =
    stored?.record.workspace_id ??
    chosenWorkspace ??
    (workspace.record === undefined ? undefined : workspace.record.id);
  const editor = useEditor({ type, stored, latest, workspaceId });
  const { base, draft, dirty, problems } = editor;
  const [question, setQuestion] = useState<SaveQuestion | null>(null);
  const guard = useLeaveGuard(editor.saving ? "hold" : dirty ? "ask" : "free");
  const testRun = useTest();
  const [tested, setTested] = useState("");
  const test = connectionTest(editor, testRun, tested, setTested);

  const { estimate, refusals, countsFailed, health, preview, incomplete, nextCall } = useForecast(editor, workspaceId);
  const stages = estimate.data?.data;
  const shown = preview.data?.data;
  const names = useKeyNames(touchedKeys(base, draft.api_key_hashes));
  const passing = stages?.passing_per_day ?? null;
  const changes: Change[] = base
    ? changesOf(base, draft, { passing, keyName: (hash) => keyWords(hash, names.get(hash), undefined) })
    : changesOfNew(draft.privacy_mode);

  const edited = new Set<SectionId>(base ? changes.map(({ path }) => sectionOf(path)) : []);
  const wrong = new Set<SectionId>(
    Object.keys(problems)
      .filter((path) => editor.problem(path) !== undefined)
      .map(sectionOf),
  );
  function begin(): void {
    if (!dirty && base) return;
    if (reason !== undefined || !editor.check()) return;
    const asked = questionOf(base, draft);
    if (asked) setQuestion(asked);
    else void finish();
  }

  async function finish(): Promise<void> {
    setQuestion(null);
    const secret = holdsSecret(draft);
    const saved = await editor.save();
    if (saved === null) return;
    testRun.forget();
    if (base === null) {
      guard.open();
      toast({ message: `${saved.name} is added.` });
      await navigate({ to: paths.destination(workspace.path, saved.id), replace: true });
      return;
    }
    offerUndo(base, saved);
    if (secret) onSecretSaved();
  }

  const undo = useAction(updateDestination);
  function offerUndo(before: DestinationRecord, after: DestinationRecord): void {
    const body = undoBody(before, after);
    toast({
      message: `${after.name} is saved.`,
      ...(body && {
        action: { label: "Undo", onSelect: () => undo.mutate({ params: { id: after.id }, body }) },
      }),
    });
  }
  useSaveKeys(begin);
  useSectionOfAddress();

  const call = base
    ? callText(
        "PATCH",
        apiPath(callPath(updateDestination, { params: { id: base.id } })),
        updateBody(base, draft),
        draft,
      )
    : callText("POST", apiPath(createDestination.path), createBody(type, draft, workspaceId), draft);
  return (
    <div className="-mt-6 flex min-h-[calc(100vh-48px)] flex-col pt-6">
      <EditorHead type={type} base={base} health={health.data?.data} healthFailed={health.isError} test={test} />
      <PipelineStrip
        stages={
          stages
            ? {
                calls: stages.calls,
                inAllowlist: stages.in_allowlist,
                passFilters: stages.pass_filters,
                sampled: stages.sampled,
                delivered: health.data ? totals(health.data.data.hours).delivered : null,
              }
            : null
        }
        rate={draft.sampling_rate}
        note={
          countsFailed
            ? "The counts did not load. Saving works all the same."
            : `Last 24 h, ${dirty && base ? "recounted with your unsaved changes" : "with these settings"}. Select a stage to edit it.`
        }
        onOpen={showSection}
      />
      {editor.conflict && base && (
        <Suspense>
          <ConflictNotice editor={editor} base={base} conflict={editor.conflict} />
        </Suspense>
      )}
      <SectionNav edited={edited} wrong={wrong} />
      <form
        noValidate
        autoComplete="off"
        aria-label={base ? `Settings of ${base.name}` : "Settings of the new destination"}
        onSubmit={(event) => {
          event.preventDefault();
          begin();
        }}
        // what has the focus must not stand under the bars at the window's head and foot
        className="[&_:is(input,select,textarea,button,[tabindex])]:scroll-mt-28 [&_:is(input,select,textarea,button,[tabindex])]:scroll-mb-24 grid grid-cols-[minmax(0,640px)_minmax(380px,1fr)] gap-14 px-8 pt-2 pb-10 max-xl:gap-8 max-[1100px]:grid-cols-1 max-md:px-4"
      >
        <div className="min-w-0">
          <Section id="basics" edited={edited.has("basics")}>
            <BasicsSection editing={editor} workspaceId={chosenWorkspace} onWorkspace={setChosenWorkspace} />
          </Section>
          <Section id="connection" edited={edited.has("connection")}>
            <ConnectionSection editing={editor} test={test} />
          </Section>
          <Section id="privacy" edited={edited.has("privacy")}>
            <PrivacySection editing={editor} />
          </Section>
          <Section id="keys" edited={edited.has("keys")}>
            <KeysSection
              editing={editor}
              workspaceId={workspaceId}
              share={stages && stages.calls > 0 ? stages.in_allowlist / stages.calls : null}
            />
          </Section>
          <Section id="rules" edited={edited.has("rules")}>
            <RulesSection
              editing={editor}
              workspaceId={workspaceId}
              refused={(path) => capital(refusals.find((issue) => issue.path === path)?.message)}
            />
          </Section>
          <Section id="sampling" edited={edited.has("sampling")}>
            <SamplingSection
              editing={editor}
              workspaceId={workspaceId}
              traffic={{
                passing: stages?.passing_per_day,
                bytes: shown ? shown.requests.reduce((all, { body }) => all + body.length, 0) : null,
                failed: countsFailed,
              }}
            />
          </Section>
        </div>
        <div className="pt-4.5">
          <div className="sticky top-24">
            <Suspense>
              <WhatLeaves asked={preview} incomplete={incomplete} onNext={nextCall} />
            </Suspense>
          </div>
        </div>
      </form>
      {(dirty || base === null) && (
        <SaveBar
          changes={changes}
          isNew={base === null}
          saving={editor.saving}
          failure={editor.failure}
          untested={(base === null || edited.has("connection")) && !test.passed}
          call={call}
          onSave={begin}
          onDiscard={() => {
            editor.discard();
            testRun.forget();
            if (base === null) void navigate({ to: paths.destinations(workspace.path) });
          }}
        />
      )}
      {question && (
        <ConfirmDialog
          danger
          title={question.title}
          description={question.text}
          confirmLabel={question.confirm}
          cancelLabel="Go back"
          onConfirm={() => void finish()}
          onCancel={() => setQuestion(null)}
        />
      )}
      {guard.asking && (
        <ConfirmDialog
          danger
          title="Leave without saving?"
          description="What you entered here is lost."
          confirmLabel="Leave"
          cancelLabel="Keep editing"
          onConfirm={guard.leave}
          onCancel={guard.stay}
        />
      )}
    </div>
  );
}

const capital = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : text.slice(0, 1).toUpperCase() + text.slice(1);

/** The few keys that a sentence about the change may name. */
function touchedKeys(base: DestinationRecord | null, hashes: readonly string[] | null): readonly string[] {
  const before = base?.api_key_hashes ?? null;
  if (before === null || hashes === null) return none;
  return [...hashes.filter((hash) => !before.includes(hash)), ...before.filter((hash) => !hashes.includes(hash))].slice(
    0,
    4,
  );
}

function changesOfNew(privacyMode: boolean): Change[] {
  return privacyMode === newDraft("webhook").privacy_mode
    ? [{ path: "privacy_mode", text: "Metadata of each call starts being sent" }]
    : [{ path: "privacy_mode", text: "Prompts and responses start being sent", grave: true }];
}
