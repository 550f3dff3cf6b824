import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type DestinationRecord, updateDestination, type UpdateDestinationBody } from "#contract/destinations.ts";
import { refreshAfter } from "../../api/action.ts";
import { callTagged, ifMatch } from "../../api/call.ts";
import { explain } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import type { LeaveGuard } from "../../form/leave-guard.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import { holdsSecret, undoBody } from "./draft.ts";
import { saveConfirmation, type SaveConfirmation } from "./save-confirmation.ts";
import type { Editor } from "./use-editor.ts";

interface SavingOptions {
  editor: Editor;
  guard: LeaveGuard;
  /** it was deleted while it was edited: what is discarded then is lost */
  gone: boolean;
  /** forgets the result of the connection's test */
  forgetTest: () => void;
  onSecretSaved: () => void;
}

export interface Saving {
  /** checks the form, asks where the change is a grave one, and saves */
  begin: () => void;
  /** what is asked before saving */
  question: SaveConfirmation | undefined;
  confirm: () => void;
  cancel: () => void;
  /** whether it is asked before discarding */
  discarding: boolean;
  askToDiscard: () => void;
  discard: () => void;
  keep: () => void;
}

/** Undoes a saving, unless somebody else has changed the destination since. */
function useUndo() {
  const client = useQueryClient();
  return (id: string, body: UpdateDestinationBody, etag: string | null) =>
    void callTagged(updateDestination, { params: { id }, body }, { headers: ifMatch(etag) }).then(
      () => refreshAfter(client, updateDestination),
      (error: unknown) => {
        toast({ message: "The change could not be undone.", detail: explain(error).said, tone: "trouble" });
        return refreshAfter(client, updateDestination);
      },
    );
}

/** Saving and discarding, with what is asked before and offered after. */
export function useSaving({ editor, guard, gone, forgetTest, onSecretSaved }: SavingOptions): Saving {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const { base, draft, dirty } = editor;
  // a question about a version that somebody else has replaced since is asked no more: what they changed comes first
  const [asking, setAsking] = useState<{ question: SaveConfirmation; of: DestinationRecord | null } | null>(null);
  const [discarding, setDiscarding] = useState(false);
  const undo = useUndo();

  async function save(): Promise<void> {
    setAsking(null);
    const secret = holdsSecret(draft);
    const stored = await editor.save();
    if (stored === null) return;
    const { record: saved, etag } = stored;
    forgetTest();
    if (base === null) {
      guard.open();
      toast({ message: `${saved.name} was added.` });
      await navigate({ to: paths.destination(path, saved.id), replace: true });
      return;
    }
    const body = undoBody(base, saved);
    toast({
      message: `${saved.name} was saved.`,
      ...(body && { action: { label: "Undo", onSelect: () => undo(saved.id, body, etag) } }),
    });
    if (secret) onSecretSaved();
  }

  function discard(): void {
    setDiscarding(false);
    editor.discard();
    forgetTest();
    if (base === null) {
      guard.open();
      void navigate({ to: paths.destinations(path) });
    } else if (!gone && !holdsSecret(draft)) {
      toast({
        message: "Your changes are discarded.",
        action: { label: "Undo", onSelect: () => editor.setDraft(draft) },
      });
    }
  }

  return {
    begin: () => {
      if ((!dirty && base) || gone || reason !== undefined || !editor.check()) return;
      const question = saveConfirmation(base, draft);
      if (question) setAsking({ question, of: base });
      else void save();
    },
    question: asking?.of === base ? asking?.question : undefined,
    confirm: () => void save(),
    cancel: () => setAsking(null),
    discarding,
    askToDiscard: () => {
      // what was typed as a secret must not outlive the form in an undo, and a new form is left for good
      if (dirty && (base === null || gone || holdsSecret(draft))) setDiscarding(true);
      else discard();
    },
    discard,
    keep: () => setDiscarding(false),
  };
}
