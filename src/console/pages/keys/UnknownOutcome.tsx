import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteKey, listKeys } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { explain } from "../../api/explain.ts";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { unmakeKey } from "./make-key.ts";
import { findOrphan } from "./orphan.ts";

/** A creation that was sent and not answered. */
export interface Sent {
  name: string;
  /** empty where the default workspace was meant */
  workspaceId: string;
  at: Date;
  /** hashes of keys of this name that were there before */
  known: ReadonlySet<string>;
  /** the key itself, where the gateway has said that this very request made it */
  made: KeyRecord | null;
}

interface UnknownOutcomeProps {
  sent: Sent;
  /** sends the same again */
  onAgain: (afterDeletion: boolean) => void;
  onBack: () => void;
}

const lookEveryMs = 5_000;

/** Looks for the key that an unanswered creation may have made. Nothing is repeated by itself. */
export function UnknownOutcome({ sent, onAgain, onBack }: UnknownOutcomeProps) {
  const look = useQuery({
    queryKey: [listKeys.name, "orphan", sent.name, sent.at.getTime()],
    queryFn: ({ signal }) =>
      call(
        listKeys,
        {
          query: {
            q: sent.name,
            include_disabled: "true",
            limit: "100",
            ...(sent.workspaceId !== "" && { workspace_id: sent.workspaceId }),
          },
        },
        { signal },
      ),
    enabled: sent.made === null,
    staleTime: 0,
    retry: false,
    refetchInterval: lookEveryMs,
  });
  const orphan = sent.made ?? (look.data ? findOrphan(look.data.data, sent) : null);
  if (orphan) return <Orphan orphan={orphan} onAgain={() => onAgain(true)} onBack={onBack} />;
  return (
    <div className="grid gap-3">
      <Notice tone="warn" role="alert">
        No answer came. The key may or may not have been created.
      </Notice>
      {look.isSuccess ? (
        <p>
          No key called <b className="font-semibold">{sent.name}</b> has appeared. Sending the same again is safe: the
          gateway makes it at most once.
        </p>
      ) : look.isError ? (
        <p>The gateway does not answer yet. Looking again every few seconds.</p>
      ) : (
        <p>Looking for it.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabledReason={!look.isSuccess && "Wait until the gateway answers"}
          onClick={() => onAgain(false)}
        >
          Try again
        </Button>
        <Button onClick={onBack}>Back to the form</Button>
      </div>
    </div>
  );
}

function Orphan({ orphan, onAgain, onBack }: { orphan: KeyRecord; onAgain: () => void; onBack: () => void }) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function deleteIt(): Promise<void> {
    setDeleting(true);
    setProblem(undefined);
    try {
      await unmakeKey(orphan.hash);
      onAgain();
    } catch (error) {
      const { title, said } = explain(error);
      setProblem(`It was not deleted. ${said ?? title}`);
    } finally {
      setDeleting(false);
      await refreshAfter(client, deleteKey);
    }
  }
  return (
    <div className="grid gap-3">
      <Notice tone="warn" role="alert">
        The key was created but its value did not reach you. Delete it and try again.
      </Notice>
      <p className="text-fg-2">
        <b className="font-semibold text-fg-1">{orphan.name}</b>, <span className="mono">{orphan.label}</span>. A key
        nobody holds still works until it is deleted or expires.
      </p>
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" pending={deleting} onClick={() => void deleteIt()}>
          Delete it and try again
        </Button>
        <Button disabledReason={deleting && "The key is being deleted"} onClick={onBack}>
          Keep it, back to the form
        </Button>
      </div>
    </div>
  );
}
