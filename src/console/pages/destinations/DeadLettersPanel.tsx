import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { listDeadLetters, replayDeadLetters } from "#contract/forwarding.ts";
import type { DeadLetter } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { useNow } from "../../api/clock.ts";
import { explain } from "../../api/explain.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/reachable.ts";
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
      title="Calls given up"
      description="Tried so often that one bad record would have held up the rest. Each can be tried again."
      onDismiss={close}
      outside="dismiss"
      busy={replay.isPending}
      footer={
        total > 0 && (
          <>
            {replay.isError && (
              <div role="alert">
                <FieldError>
                  Nothing was sent again. {explain(replay.error).said ?? explain(replay.error).title}
                </FieldError>
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
                    Before
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
          what="The calls did not load"
          onRetry={() => void letters.refetch()}
          retrying={letters.isFetching}
        />
      )}
      {letters.data && total === 0 && <p className="text-fg-2">There is none: every call that was due was taken.</p>}
      {letters.data && total > 0 && (
        <ul aria-label="Calls given up" className="grid">
          {letters.data.data.map((letter) => (
            <Letter
              key={letter.generation_id}
              letter={letter}
              disabledReason={reason ?? (replay.isPending && "It is being sent")}
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
        {status !== null && <span className="text-bad-fg">HTTP {status}. </span>}
        {message}
      </p>
      {body !== null && body !== "" && <p className="text-12 break-words text-fg-3">“{body}”</p>}
      <Disclosure summary="The record" className="text-12">
        {event === null ? (
          <p className="text-fg-3">The call is not kept any more.</p>
        ) : (
          <CodeBlock
            label={`The record of ${id}`}
            size="sm"
            copy
            tokens={highlight(JSON.stringify(event, null, 2), "json")}
          />
        )}
      </Disclosure>
    </li>
  );
}
