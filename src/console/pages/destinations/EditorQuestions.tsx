import { leaveQuestion, type LeaveGuard } from "../../form/leave-guard.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import type { Saving } from "./use-saving.ts";

interface EditorQuestionsProps {
  isNew: boolean;
  saving: Saving;
  guard: LeaveGuard;
  /** leaves without saving */
  onLeave: () => void;
}

/** What the editor asks before a grave save, before discarding, and before leaving. */
export function EditorQuestions({ isNew, saving, guard, onLeave }: EditorQuestionsProps) {
  const { question } = saving;
  return (
    <>
      {question && (
        <ConfirmDialog
          danger
          title={question.title}
          description={question.text}
          confirmLabel={question.confirm}
          cancelLabel="Go back"
          onConfirm={saving.confirm}
          onCancel={saving.cancel}
        />
      )}
      {saving.discarding && (
        <ConfirmDialog
          danger
          title={isNew ? "Discard the new destination?" : "Discard your changes?"}
          description={leaveQuestion.text}
          confirmLabel="Discard"
          cancelLabel={leaveQuestion.stay}
          onConfirm={saving.discard}
          onCancel={saving.keep}
        />
      )}
      {guard.asking && (
        <ConfirmDialog
          danger
          title={leaveQuestion.title}
          description={leaveQuestion.text}
          confirmLabel={leaveQuestion.leave}
          cancelLabel={leaveQuestion.stay}
          onConfirm={onLeave}
          onCancel={guard.stay}
        />
      )}
    </>
  );
}
