import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { ShownOnce } from "./make-key.ts";

/** In the key's place once its text was taken off the page. */
export function SecretExpiredBody({ record, why, taken }: { record: ShownOnce; why: string; taken: boolean }) {
  return (
    <Notice tone="warn" role="alert">
      The text of <b className="font-semibold">{record.name}</b> was removed from this page because {why}. It cannot be
      shown again. {taken ? "You had already saved it." : "If you did not save it, delete the key and create another."}
    </Notice>
  );
}

interface GoneFootProps {
  taken: boolean;
  deleting: boolean;
  problem: string | undefined;
  onClose: () => void;
  onDelete: () => void;
}

export function SecretExpiredFoot({ taken, deleting, problem, onClose, onDelete }: GoneFootProps) {
  return (
    <>
      <ErrorAlert>{problem}</ErrorAlert>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onClose} disabledReason={deleting && "The key is being deleted"}>
          {taken ? "Close" : "Close and keep the key"}
        </Button>
        {!taken && (
          <Button variant="danger" pending={deleting} onClick={onDelete}>
            Close and delete the key
          </Button>
        )}
      </div>
    </>
  );
}
