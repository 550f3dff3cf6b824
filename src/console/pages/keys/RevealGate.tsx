import { Button } from "../../ui/Button.tsx";
import { Gate } from "../../ui/Gate.tsx";

interface RevealGateProps {
  deleting: boolean;
  problem: string | undefined;
  also: string | undefined;
  onBack: () => void;
  onDelete: () => void;
  onKeep: () => void;
}

/** Asks once more before an unsaved key is abandoned, and offers to delete it. */
export function RevealGate({ deleting, problem, also, onBack, onDelete, onKeep }: RevealGateProps) {
  const busy = deleting && "The key is being deleted";
  return (
    <Gate
      tone="brass"
      title="You have not saved this key. It cannot be shown again."
      actions={
        <>
          <Button variant="primary" shortcut="esc" disabledReason={busy} onClick={onBack}>
            Go back
          </Button>
          <Button variant="danger" pending={deleting} onClick={onDelete}>
            Close and delete the key
          </Button>
          <Button disabledReason={busy} onClick={onKeep}>
            Close and keep the key
          </Button>
        </>
      }
    >
      {problem ? (
        <span role="alert" className="text-bad-fg">
          {problem}
        </span>
      ) : (
        `A key that no one has still works until it is deleted or expires.${also ? ` ${also}` : ""}`
      )}
    </Gate>
  );
}
