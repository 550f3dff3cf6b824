import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { deleteKey, getKey } from "#contract/keys.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { explain } from "../../api/explain.ts";
import { query } from "../../api/query.ts";
import { formatAgo } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { toast } from "../../ui/toast.ts";
import { forgetUnsaved, readUnsaved } from "./unsaved.ts";

/** After a reload that cut the reveal short: the key lives, its text is gone. Said once. */
export function UnsavedNotice() {
  const [hash, setHash] = useState(() => readUnsaved(sessionStorage));
  useEffect(() => forgetUnsaved(sessionStorage), []);
  if (hash === null) return null;
  return <Asked hash={hash} onDone={() => setHash(null)} />;
}

function Asked({ hash, onDone }: { hash: string; onDone: () => void }) {
  const now = useNow(5_000);
  const { data } = useQuery(query(getKey, { params: { hash } }));
  const remove = useAction(deleteKey, {
    onSuccess: () => {
      toast({ message: `${data?.data.name ?? "The key"} is deleted.` });
      onDone();
    },
  });
  if (!data) return null;
  const { name, created_at } = data.data;
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
      {remove.isError && (
        <span className="block text-bad-fg">{explain(remove.error).said ?? explain(remove.error).title}</span>
      )}
    </Notice>
  );
}
