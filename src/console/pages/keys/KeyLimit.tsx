import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { everyProvider, unpricedModels } from "../../api/providers.ts";
import { formatCount, formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { usedInPeriod } from "./used-in-period.ts";
import { refusalsOf } from "./refusals.ts";
import { PeriodScale } from "./PeriodScale.tsx";
import { isWatchedOver, usedFraction } from "./status.ts";
import { limitWords } from "./summary.ts";

/** The limit: how much of it is left, and the period that it is for on the double scale. */
export function KeyLimit({ of: key }: { of: KeyRecord }) {
  const now = useNow(30_000);
  const fraction = usedFraction(key);
  const used = usedInPeriod(key, key.limit_reset, key.include_byok_in_limit);
  const over = isWatchedOver(key);
  return (
    <section aria-labelledby="limit-title" className="border-t border-line px-8 py-6 max-md:px-4">
      <h2 id="limit-title" className="text-15">
        Limit
      </h2>
      {key.limit === null || fraction === null ? (
        <p className="pt-1 text-fg-2">
          {key.made_by === null
            ? "No limit: it can spend any amount."
            : "No limit of its own. Any limit of the key that it was made with binds it too."}
        </p>
      ) : (
        <div className="grid max-w-128 gap-3 pt-2">
          <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
            <span className="text-28">
              <Money usd={over ? used : (key.limit_remaining ?? 0)} exact />
            </span>
            <span className="pb-1 text-fg-3">
              {over ? "spent" : "left"} of {limitWords(key)}
            </span>
          </div>
          <Meter
            fraction={fraction}
            bars={128}
            height={12}
            label="Limit used"
            valueText={`${formatUsd(used, { exact: true })} of ${formatUsd(key.limit, { exact: true })} used`}
            tone={key.status === "disabled" || key.status === "expired" ? "off" : "auto"}
            className="w-full"
          />
          {key.limit_reset === null ? (
            <p className="text-12 text-fg-3">It does not reset: the limit is for the key's whole life.</p>
          ) : (
            <PeriodScale reset={key.limit_reset} now={now} />
          )}
        </div>
      )}
      {key.limit !== null && <Unpriced watchOnly={key.limit_watch_only} />}
      <Refusals of={key} />
    </section>
  );
}

/** Whether it is known if a key with a limit has more to say. */
export function useLimitKnown({ limit }: KeyRecord): boolean {
  const read = useQuery({ ...everyProvider, enabled: limit !== null });
  return limit === null || !read.isPending;
}

/** Models that a key with a limit may not call, or that no limit counts, because their price is unknown. */
function Unpriced({ watchOnly }: { watchOnly: boolean }) {
  const { path } = useWorkspace();
  const count = unpricedModels(useQuery(everyProvider).data?.data ?? []);
  if (count === 0) return null;
  return (
    <p className="max-w-160 pt-3 text-fg-2">
      {count === 1 ? "1 model has no price" : `${formatCount(count)} models have no price`}:{" "}
      {watchOnly ? (
        `calls to ${count === 1 ? "it" : "them"} do not count toward this limit.`
      ) : (
        <>
          while this limit is set, calls to {count === 1 ? "it" : "them"} get 402, unless the gateway runs with{" "}
          <span className="mono">GATEHOUSE_UNPRICED=allow</span>.
        </>
      )}{" "}
      <Link to={paths.models(path)} search={{ price: "unpriced" }} className={`${linkTextClass} underline`}>
        Show {count === 1 ? "it" : "them"}
      </Link>
    </p>
  );
}

/** What calls are answered with, in the API's own words: now that the limit is spent, and beyond the key's rates. */
function Refusals({ of: key }: { of: KeyRecord }) {
  const answers = refusalsOf(key);
  if (answers.length === 0) return null;
  return (
    <ul className="grid max-w-160 gap-1 pt-3">
      {answers.map(({ status, when, words }) => (
        <li key={words} className="text-fg-2">
          {when} get <span className="tabular-nums">{status}</span>: “{words}”
        </li>
      ))}
    </ul>
  );
}
