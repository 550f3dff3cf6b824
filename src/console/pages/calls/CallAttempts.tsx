import type { CallRecord } from "#contract/calls.ts";
import { counted } from "../../format.ts";
import { Money } from "../../ui/Money.tsx";
import { StatusShape } from "../../ui/Status.tsx";
import { attemptLabel, passedOverLabel } from "./labels.ts";

/** Every candidate that was called, in order, and why the next one had to be. */
export function CallAttempts({ call }: { call: CallRecord }) {
  return (
    <section aria-labelledby="attempts" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="attempts" className="pb-2 text-15">
        Attempts
      </h2>
      {call.attempts.length === 0 ? (
        <p className="text-fg-2">
          {call.cached_inputs > 0
            ? "No provider was called: everything came from the cache."
            : "No provider was called."}
        </p>
      ) : (
        <ol className="max-w-240">
          {call.attempts.map((attempt, index) => (
            <li key={index} className="flex items-start gap-3 border-b border-line py-2.5 last:border-b-0">
              <StatusShape kind={attempt.error === null ? "running" : "trouble"} className={shapeTone(attempt.error)} />
              <div className="min-w-0">
                <p>
                  <span className="font-semibold">{attempt.provider}</span>{" "}
                  <span className="tabular-nums">{attemptLabel(attempt)}</span>
                  {attempt.is_byok && <span className="text-fg-3">, with your own provider key</span>}
                  {attempt.cost !== undefined && (
                    <span className="text-fg-2">
                      {attempt.is_byok ? ", which may bill up to " : ", charged the most it may bill, "}
                      <Money usd={attempt.cost} exact />
                    </span>
                  )}
                </p>
                {attempt.left_out !== undefined && (
                  <p className="text-12 text-fg-2">
                    {counted(attempt.left_out, "more attempt was", "more attempts were")} made before the next one
                    listed. Only the first and last 50 are kept.
                  </p>
                )}
                {attempt.error !== null && (
                  <p className="text-12 break-words text-fg-2">
                    “{attempt.error}”, {passedOverLabel(call, index)}
                  </p>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function shapeTone(error: string | null): string {
  return `mt-1.5 shrink-0 ${error === null ? "text-ok-fg" : "text-bad-fg"}`;
}
