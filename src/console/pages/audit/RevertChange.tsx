import { useState } from "react";
import type { AuditRecord } from "#contract/audit.ts";
import { getKey, updateKey } from "#contract/keys.ts";
import { getWorkspace, updateWorkspace } from "#contract/workspaces.ts";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { errorText } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { changedSince, type Inverse } from "./inverse.ts";
import { memberChanges } from "./labels.ts";

/** Takes a change back by its inverse PATCH, unless one of its members has been changed again since. */
export function RevertChange({ record, inverse }: { record: AuditRecord; inverse: Inverse }) {
  const { reason } = useReachable();
  const [step, setStep] = useState<"idle" | "checking" | "asking">("idle");
  const [problem, setProblem] = useState<string>();
  const revert = useRevert(inverse);

  async function check() {
    setStep("checking");
    setProblem(undefined);
    try {
      const later = changedSince(record, await current(inverse));
      if (later.length > 0)
        setProblem(`Changed again since, so this change can't be reverted on its own: ${later.join(", ")}.`);
      setStep(later.length > 0 ? "idle" : "asking");
    } catch (error) {
      setProblem(errorText(error));
      setStep("idle");
    }
  }

  async function goOn() {
    try {
      await revert();
      setStep("idle");
      toast({ message: `${record.target_name ?? "It"} was reverted.` });
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="sm" pending={step === "checking"} disabledReason={reason} onClick={() => void check()}>
        Revert this change
      </Button>
      <p role="status" className="text-12 text-warn-fg">
        {step !== "asking" && problem}
      </p>
      {step === "asking" && (
        <ConfirmDialog
          title={`Revert ${record.target_name ?? "it"}?`}
          description={memberChanges(record)
            .map(({ words, before, after }) => `${words}: ${after} goes back to ${before}`)
            .join("; ")}
          confirmLabel="Revert the change"
          error={problem}
          onConfirm={() => void goOn()}
          onCancel={() => {
            setProblem(undefined);
            setStep("idle");
          }}
        />
      )}
    </div>
  );
}

async function current(inverse: Inverse): Promise<Record<string, unknown>> {
  const { data } =
    inverse.kind === "key"
      ? await call(getKey, { params: { hash: inverse.id } })
      : await call(getWorkspace, { params: { id: inverse.id } });
  return data;
}

function useRevert(inverse: Inverse): () => Promise<unknown> {
  const key = useAction(updateKey);
  const workspace = useAction(updateWorkspace);
  return () =>
    inverse.kind === "key"
      ? key.mutateAsync({ params: { hash: inverse.id }, body: inverse.body })
      : workspace.mutateAsync({ params: { id: inverse.id }, body: inverse.body });
}
