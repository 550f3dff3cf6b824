import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { listDeadLetters, replayDeadLetters, type DeadLetter } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { errorText } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Failure } from "../../shell/Failure.tsx";
import { Button } from "../../ui/Button.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast.ts";
import { useCloseToDestination } from "./use-destination.ts";

const pageSize = 50;

/** The calls that a destination never took: what it said to each, the record as it would be sent, and another try. */
export function DeadLettersPanel() {
  const { id = "" } = useParams({ strict: false });
  const close = useCloseToDestination();
  const { reason } = useReachable();
  const [offset, setOffset] = useState(0);
  const letters = useQuery({
    ...query(listDeadLetters, { params: { id }, query: { limit: String(pageSize), offset: String(offset) } }),
    placeholderData: keepPreviousData,
    // one that is tried again leaves the list once it was taken
    refetchInterval: 5_000,
  });
  const replay = useAction(replayDeadLetters, {
    onSuccess: ({ data: { replayed } }) => {
      setOffset(0);
      toast({ message: `${replayed} ${replayed === 1 ? "call is" : "calls are"} being tried again.` });
    },
  });
  const total = letters.data?.total_count ?? 0;
  return (
    <Panel
      title="Dead letters"
      description="These events failed so often that they would have held up the rest. You can send each one again."
      onDismiss={close}
      outside="dismiss"
      busy={replay.isPending}
      footer={
        total > 0 && (
          <>
            {replay.isError && (
              <div role="alert">
                <FieldError>Nothing was sent again. {errorText(replay.error)}</FieldError>
              </div>
            )}
            <div className="flex flex-wrap items-center gap-2">
              <Button
                variant="primary"
                pending={replay.isPending}
                disabledReason={reason}
                onClick={() => replay.mutate({ params: { id }, body: {} })}
              >
                {total === 1 ? "Try it again" : `Try all ${total.toLocaleString("en-US")} again`}
              </Button>
              {total > pageSize && (
                <span className="ml-auto flex items-center gap-2 text-12 text-fg-3">
                  {offset + 1} to {Math.min(total, offset + pageSize)}
                  <Button
                    size="sm"
                    disabledReason={offset === 0 && "These are the first"}
                    onClick={() => setOffset(Math.max(0, offset - pageSize))}
                  >
                    Previous
                  </Button>
                  <Button
                    size="sm"
                    disabledReason={offset + pageSize >= total && "These are the last"}
                    onClick={() => setOffset(offset + pageSize)}
                  >
                    Next
                  </Button>
                </span>
              )}
            </div>
          </>
        )
      }
    >
      {letters.isPending && [72, 72, 72].map((height, index) => <Skeleton key={index} height={height} />)}
      {letters.isError && (
        <Failure
          error={letters.error}
          what="The dead letters did not load"
          onRetry={() => void letters.refetch()}
          retrying={letters.isFetching}
        />
      )}
      {letters.data && total === 0 && <p className="text-fg-2">No dead letters. Waiting calls are kept.</p>}
      {letters.data && total > 0 && (
        <ul aria-label="Dead letters" className="grid">
          {letters.data.data.map((letter) => (
            <Letter
              key={letter.generation_id}
              letter={letter}
              disabledReason={reason ?? (replay.isPending && "Already sending")}
              onReplay={() => replay.mutate({ params: { id }, body: { generation_ids: [letter.generation_id] } })}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface LetterProps {
  letter: DeadLetter;
  disabledReason: string | false | undefined;
  onReplay: () => void;
}

function Letter({ letter, disabledReason, onReplay }: LetterProps) {
  const now = useNow(15_000);
  const { generation_id: id, created_at: made, died_at: died, attempts, status, message, body, event } = letter;
  return (
    <li className="grid gap-1 border-t border-line py-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span className="mono font-semibold break-all">{id}</span>
        <span className="text-12 text-fg-3">
          made <Time iso={made} now={now} />, given up <Time iso={died} now={now} /> after {attempts}{" "}
          {attempts === 1 ? "try" : "tries"}
        </span>
        <Button
          size="sm"
          className="ml-auto"
          disabledReason={disabledReason}
          onClick={onReplay}
          aria-label={`Try ${id} again`}
        >
          Try again
        </Button>
      </div>
      <p className="break-words text-fg-2">
        {status !== null && <span className="text-bad-fg">HTTP {status}: </span>}
        {status !== null && body !== null && body !== "" ? `“${body}”` : message}
      </p>
      <Disclosure summary="The event" className="text-12">
        {event === null ? (
          <p className="text-fg-3">The call is no longer kept.</p>
        ) : (
          <CodeBlock
            label={`The event of ${id}`}
            size="sm"
            copy
            tokens={highlight(JSON.stringify(event, null, 2), "json")}
          />
        )}
      </Disclosure>
    </li>
  );
}
