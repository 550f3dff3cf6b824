import { useQuery } from "@tanstack/react-query";
import type { CallAttempt, CallRecord } from "#contract/calls.ts";
import { counted, formatLatency } from "../../format.ts";
import { everyProvider } from "../../api/providers.ts";
import { cx } from "../../ui/cx.ts";
import { Money } from "../../ui/Money.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { type AttemptTimes, attemptTimes, isVideoJob, reservedMost, wholeMs } from "./attempt-times.ts";
import { attemptLabel, isAllCached, passedOverLabel } from "./labels.ts";

/** Every candidate that was called, in order and to scale, and why the next one had to be. */
export function CallAttempts({ call }: { call: CallRecord }) {
  return (
    <section aria-labelledby="attempts" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="attempts" className="pb-2 text-15">
        Attempts
      </h2>
      {call.attempts.length === 0 ? (
        <p className="text-fg-2">
          {isAllCached(call) ? "No provider was called: everything came from the cache." : "No provider was called."}
        </p>
      ) : (
        <Waterfall call={call} />
      )}
    </section>
  );
}

const rowClass =
  "grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] items-start gap-x-8 gap-y-2 border-b border-line py-2.5 max-lg:grid-cols-1";

function Waterfall({ call }: { call: CallRecord }) {
  const times = attemptTimes(call);
  const whole = wholeMs(call, times);
  const providers = useQuery(everyProvider).data?.data;
  // one that was deleted since is known by its slug
  const nameOf = (slug: string) => providers?.find((provider) => provider.slug === slug)?.name ?? slug;
  const unknown = times.filter(({ from }) => from === null).length;
  return (
    <div className="max-w-300">
      {unknown > 0 && (
        <p className="pb-2 text-12 text-fg-2">
          {unknown === times.length
            ? "When the attempts began was not recorded: their bars show how long each took, not when."
            : "When some attempts began was not recorded: their dashed bars show how long each took, not when."}
        </p>
      )}
      <Reservation call={call} whole={whole} />
      <ol>
        {call.attempts.map((attempt, index) => {
          const time = times[index];
          return (
            <li key={index} className={cx(rowClass, "last:border-b-0")}>
              <Words call={call} attempt={attempt} index={index} time={time} nameOf={nameOf} />
              {time && <Track time={time} whole={whole} failed={attempt.error !== null} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

interface WordsProps {
  call: CallRecord;
  attempt: CallAttempt;
  index: number;
  time: AttemptTimes | undefined;
  nameOf: (slug: string) => string;
}

function Words({ call, attempt, index, time, nameOf }: WordsProps) {
  const first = time?.firstByte ?? null;
  const isJob = isVideoJob(call);
  return (
    <div className="flex min-w-0 items-start gap-3">
      <StatusShape kind={attempt.error === null ? "running" : "trouble"} className={shapeTone(attempt.error)} />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <span className="font-semibold">{nameOf(attempt.provider)}</span>{" "}
          <span className="tabular-nums">{attemptLabel(attempt, isJob)}</span>
          {attempt.is_byok && <span className="text-fg-3">, with your own provider key</span>}
          {attempt.cost !== undefined && (
            <span className="text-fg-2">
              {attempt.is_byok ? ", which may bill up to " : ", charged the most it may bill, "}
              <Money usd={attempt.cost} exact />
            </span>
          )}
        </p>
        {time && time.from !== null && (
          <p className="text-12 text-fg-2 tabular-nums">
            Began at {formatLatency(time.from)}
            {first !== null && `, ${isJob ? "accepted" : "first byte"} at ${formatLatency(first)}`}, ended at{" "}
            {formatLatency(time.to)}
          </p>
        )}
        {attempt.rate !== undefined && <p className="text-12 text-fg-2">{attempt.rate}.</p>}
        {attempt.left_out !== undefined && (
          <p className="text-12 text-fg-2">
            {counted(attempt.left_out, "more attempt was", "more attempts were")} made before the next one listed. Only
            the first and last 50 are kept.
          </p>
        )}
        {attempt.error !== null && (
          <p className="text-12 break-words text-fg-2">
            “{attempt.error.trim().replace(/\.$/, "")}”, {passedOverLabel(call, index, nameOf)}
          </p>
        )}
      </div>
    </div>
  );
}

/** One attempt to scale: waiting, then the answer. The words next to it say the same. */
function Track({
  time: { from, firstByte, to },
  whole,
  failed,
}: {
  time: AttemptTimes;
  whole: number;
  failed: boolean;
}) {
  const start = from ?? 0;
  const bar = (begin: number, end: number) => ({
    left: `${(begin / whole) * 100}%`,
    width: `max(2px, ${((end - begin) / whole) * 100}%)`,
  });
  const answer = failed ? "bg-bad-fg forced-colors:bg-[Highlight]" : "bg-accent forced-colors:bg-[CanvasText]";
  return (
    <div
      aria-hidden="true"
      className="relative mt-1.5 h-2 bg-bg-3 forced-colors:border forced-colors:border-[GrayText]"
    >
      {from === null ? (
        <span
          className={cx("absolute inset-y-0 border border-dashed", failed ? "border-bad-fg" : "border-accent")}
          style={bar(start, to)}
        />
      ) : firstByte === null ? (
        <span className={cx("absolute inset-y-0", answer)} style={bar(start, to)} />
      ) : (
        <>
          <span className="absolute inset-y-0 bg-accent-2 forced-colors:bg-[GrayText]" style={bar(start, firstByte)} />
          <span className={cx("absolute inset-y-0", answer)} style={bar(firstByte, to)} />
        </>
      )}
    </div>
  );
}

/** What was set aside while the call ran, and what was charged when it ended. */
function Reservation({ call, whole }: { call: CallRecord; whole: number }) {
  const reserved = reservedMost(call.attempts);
  const charged = call.cost > 0 || call.priced;
  return (
    <div className={rowClass}>
      <p className="min-w-0">
        {reserved === undefined ? (
          "What was reserved for the call was not recorded."
        ) : reserved === 0 ? (
          "Nothing was reserved: no limit counts this call."
        ) : (
          <>
            Up to <Money usd={reserved} exact /> was reserved, from before the first attempt until the call was settled.
          </>
        )}{" "}
        {charged ? (
          <>
            Charged at the end: <Money usd={call.cost} exact />.
          </>
        ) : (
          "The model had no price."
        )}
      </p>
      <div aria-hidden="true" className="grid gap-1">
        <div className="relative mt-1.5 h-2">
          <span
            className={cx(
              "absolute inset-x-0 top-1/2 h-px",
              reserved === undefined || reserved === 0 ? "border-t border-dashed border-line-2" : "bg-fg-2",
            )}
          />
          {reserved !== undefined && reserved > 0 && <span className="absolute inset-y-0 left-0 w-px bg-fg-2" />}
          <span className="absolute inset-y-0 right-0 w-0.5 bg-fg-1" />
        </div>
        <div className="flex justify-between text-11 text-fg-3 tabular-nums">
          <span>0</span>
          <span>{formatLatency(whole)}</span>
        </div>
      </div>
    </div>
  );
}

function shapeTone(error: string | null): string {
  return `mt-1.5 shrink-0 ${error === null ? "text-ok-fg" : "text-bad-fg"}`;
}
