import { useQuery } from "@tanstack/react-query";
import { deleteKey, listKeys } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { ShownOnce } from "./make-key.ts";
import { findUnknownOutcome } from "./unknown-outcome.ts";
import { KeyWithoutSecret } from "./KeyWithoutSecret.tsx";

/** A creation that was sent and not answered. */
export interface Sent {
  name: string;
  /** empty where the default workspace was meant */
  workspaceId: string;
  at: Date;
  /** hashes of keys of this name that were there before */
  known: ReadonlySet<string>;
  /** the key itself, where the gateway has said that this very request made it */
  made: ShownOnce | null;
}

interface UnknownOutcomeProps {
  sent: Sent;
  /** sends the same again */
  onAgain: (afterDeletion: boolean) => void;
  onBack: () => void;
}

const lookupEveryMs = 5_000;

/** Looks for the key that an unanswered creation may have made. Nothing is repeated by itself. */
export function UnknownOutcome({ sent, onAgain, onBack }: UnknownOutcomeProps) {
  const lookup = useQuery({
    queryKey: [listKeys.name, "unknown-outcome", sent.name, sent.at.getTime()],
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
    refetchInterval: lookupEveryMs,
  });
  const created = sent.made ?? (lookup.data ? findUnknownOutcome(lookup.data.data, sent) : null);
  if (created)
    return <KeyWithoutSecret created={created} remove={deleteKey} onAgain={() => onAgain(true)} onBack={onBack} />;
  return (
    <div className="grid gap-3">
      <Notice tone="warn" role="alert">
        No answer came. The key may or may not have been created.
      </Notice>
      {lookup.isSuccess ? (
        <p>
          No key called <b className="font-semibold">{sent.name}</b> has appeared. Sending the same request again is
          safe: the gateway creates it at most once.
        </p>
      ) : lookup.isError ? (
        <p>The gateway is not answering yet. Checking every few seconds.</p>
      ) : (
        <p>Looking for it.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          disabledReason={!lookup.isSuccess && "Wait until the gateway answers"}
          onClick={() => onAgain(false)}
        >
          Try again
        </Button>
        <Button onClick={onBack}>Back to the form</Button>
      </div>
    </div>
  );
}
