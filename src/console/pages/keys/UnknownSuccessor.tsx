import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type KeyRecord, getKey } from "#contract/keys.ts";
import { errorText } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { Button } from "../../ui/Button.tsx";
import { ErrorAlert } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { makeSuccessor, type Made } from "./make-key.ts";

interface UnknownSuccessorProps {
  old: KeyRecord;
  onMade: (done: { made: Made; replaced: KeyRecord }) => void;
  onBack: () => void;
}

const lookupEveryMs = 5_000;

/** After a replacement that was not answered: the old key's record tells whether it has a successor. */
export function UnknownSuccessor({ old, onMade, onBack }: UnknownSuccessorProps) {
  const lookup = useQuery({
    ...query(getKey, { params: { hash: old.hash } }),
    staleTime: 0,
    retry: false,
    refetchOnMount: "always",
    refetchInterval: lookupEveryMs,
  });
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();

  const lost = lookup.data?.data.replaced_by ?? null;

  async function replaceLost(hash: string): Promise<void> {
    setPending(true);
    setProblem(undefined);
    try {
      // the lost key was never shown, so it ends at once
      onMade(await makeSuccessor(hash, 0));
    } catch (error) {
      setProblem(`It was not replaced. ${errorText(error)}`);
      setPending(false);
    }
  }

  return (
    <div className="grid gap-3">
      <Notice tone="warn" role="alert">
        {lost === null
          ? "No answer came. The key may or may not have been replaced."
          : "The successor was created but its value did not reach you. Replace it again: the lost one ends at once."}
      </Notice>
      {lost === null && (
        <p>
          {lookup.isError
            ? "The gateway is not answering yet. Checking every few seconds."
            : "No successor has appeared so far."}
        </p>
      )}
      <ErrorAlert>{problem}</ErrorAlert>
      <div className="flex flex-wrap gap-2">
        {lost !== null && (
          <Button variant="primary" pending={pending} onClick={() => void replaceLost(lost)}>
            Replace the lost one
          </Button>
        )}
        <Button disabledReason={pending && "Already replacing"} onClick={onBack}>
          Back to the form
        </Button>
      </div>
    </div>
  );
}
