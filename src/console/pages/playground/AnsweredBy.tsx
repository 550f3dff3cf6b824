import { useQueries } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { getGeneration } from "#contract/generations.ts";
import { query } from "../../api/query.ts";
import { formatCount, formatLatency, formatUsd } from "../../format.ts";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { attemptsOf } from "./attempts.ts";

/** Of a run with more calls than these, the first are asked about. */
const mostAsked = 200;
const callWords = (count: number) => (count === 1 ? "1 call" : `${formatCount(count)} calls`);

/** Who answered a run's calls, and every attempt of those that were not answered at once. */
export function AnsweredBy({ generations }: { generations: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const asked = generations.slice(0, mostAsked);
  const { records, pending } = useQueries({
    // a call's record does not change any more
    queries: asked.map((generation) => ({
      ...query(getGeneration, { query: { id: generation } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (reads) => ({
      records: reads.flatMap(({ data }) => data?.data ?? []),
      pending: reads.some(({ isPending }) => isPending),
    }),
  });
  if (pending || records.length === 0) return null;
  const { answered, retried, unanswered } = attemptsOf(records);
  const [only] = answered;
  const rest = generations.length > records.length ? ` of the first ${formatCount(records.length)}` : "";
  return (
    <>
      <span>
        {answered.length === 1
          ? `${only?.name} answered${rest && ` all${rest} calls`}`
          : `${answered.map(({ name, calls }, at) => (at === 0 ? `${name} answered ${callWords(calls)}` : `${name} ${formatCount(calls)}`)).join(", ")}${rest}`}
        {retried.length > 0 && (
          <LinkButton
            className="ml-2 inline-flex items-center"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {callWords(retried.length)} tried again
            <ChevronRight size={14} aria-hidden="true" className={cx("transition-transform", open && "rotate-90")} />
          </LinkButton>
        )}
        {unanswered > 0 && `, ${formatUsd(unanswered)} for attempts without an answer`}
      </span>
      {open && (
        <ol
          id={id}
          aria-label="Attempts"
          className="order-last max-h-40 w-full overflow-y-auto border-t border-line pt-1 pb-1.5"
        >
          {retried.map(({ call, attempts }) => (
            <li key={call} className="flex flex-wrap items-center gap-x-2 py-0.5">
              <span className="w-14 text-fg-3">Call {formatCount(call)}</span>
              {attempts.map(({ provider_name: name, status, latency, cost }, at) => (
                <span key={at} className="inline-flex items-center gap-1.5">
                  {at > 0 && <ChevronRight size={12} aria-hidden="true" className="text-fg-3" />}
                  {at > 0 && <span className="sr-only">then</span>}
                  <span
                    aria-hidden="true"
                    className={cx(
                      "inline-block size-2",
                      status !== null && status < 400 ? "rounded-full bg-ok-fg" : "bg-bad-fg",
                    )}
                  />
                  {name} {status ?? "no answer"} after {formatLatency(latency)}
                  {cost !== undefined && `, charged ${formatUsd(cost)}`}
                </span>
              ))}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
