import { useQuery } from "@tanstack/react-query";
import { deleteKey, getKey } from "#contract/keys.ts";
import type { deleteManagementKey } from "#contract/management-keys.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { errorText } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { formatAgo } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { toast } from "../../ui/toast.ts";
import type { ShownOnce } from "./make-key.ts";

/** The same for an API key, which is read first. */
export function UnsavedApiKey({ hash, onDone }: { hash: string; onDone: () => void }) {
  const { data } = useQuery(query(getKey, { params: { hash } }));
  return data ? <UnsavedQuestion of={data.data} remove={deleteKey} onDone={onDone} /> : null;
}

interface UnsavedQuestionProps {
  of: ShownOnce;
  remove: typeof deleteKey | typeof deleteManagementKey;
  onDone: () => void;
}

/** Asks whether the key whose text is lost is to be deleted. */
export function UnsavedQuestion({ of: { hash, name, created_at }, remove: endpoint, onDone }: UnsavedQuestionProps) {
  const now = useNow(5_000);
  const remove = useAction(endpoint, {
    onSuccess: () => {
      toast({ message: `${name} was deleted.` });
      onDone();
    },
  });
  return (
    <Notice
      tone="warn"
      role="alert"
      className="mx-8 mb-3 max-md:mx-4"
      action={
        <>
          <Button
            size="sm"
            variant="danger"
            pending={remove.isPending}
            onClick={() => remove.mutate({ params: { hash } })}
          >
            Delete it
          </Button>
          <Button size="sm" variant="quiet" onClick={onDone}>
            Keep it
          </Button>
        </>
      }
    >
      You created <b className="font-semibold">{name}</b> {formatAgo(new Date(created_at), "UTC", now)} and may not have
      saved it. It cannot be shown again. Delete it?
      {remove.isError && <span className="block text-bad-fg">{errorText(remove.error)}</span>}
    </Notice>
  );
}
