import { Link } from "@tanstack/react-router";
import { ChevronRight, Lock } from "lucide-react";
import type { DestinationRecord } from "#contract/destinations.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { useNow } from "../../api/clock.ts";
import { counted, formatCompact, formatDuration } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Sparkline } from "../../ui/Bars.tsx";
import { cx } from "../../ui/cx.ts";
import { Plate } from "../../ui/Plate.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { DestinationMenu } from "./DestinationMenu.tsx";
import { DestinationSwitch } from "./DestinationSwitch.tsx";
import {
  backlogWords,
  decidedCount,
  effectiveRate,
  healthWords,
  lastDay,
  notSent,
  takesAll,
  totals,
} from "./health.ts";
import { kindTitle, plates } from "./kinds.ts";
import { rowGrid } from "./row-grid.ts";
import { percentText } from "./sampling.ts";
import { DeliveryErrors } from "./DeliveryErrors.tsx";

interface DestinationRowProps {
  destination: DestinationRecord;
  health: DestinationHealth | undefined;
  /** the health is being read for the first time */
  loading: boolean;
  /** the row under the keyboard */
  current: boolean;
}

const effectiveRule =
  "Delivered calls as a share of those that were checked in the last 24 h, some under earlier settings. What is not checked yet is not counted.";

const second = "truncate text-11 text-fg-3";
/** A phone shows it whole, in two lines. */
const secondWhole = cx(second, "@max-[500px]:whitespace-normal");

export function DestinationRow({ destination, health, loading, current }: DestinationRowProps) {
  const { path } = useWorkspace();
  const now = useNow(15_000);
  const { kind, word, rule } = healthWords(health);
  const day = health && lastDay(health.hours, now);
  const all = health && totals(health.hours);
  const effective = all === undefined ? null : effectiveRate(all);
  const lag = health !== undefined && health.lag_ms >= 100 ? formatDuration(health.lag_ms) : null;
  const failing = health?.status === "failing";
  return (
    <li
      data-current={current ? "" : undefined}
      className={cx(
        "border-b border-line",
        failing ? "shadow-[inset_3px_0_0_var(--bad-fg)]" : current && "shadow-[inset_3px_0_0_var(--accent)]",
        current && "bg-bg-2",
      )}
    >
      <div
        className={cx(
          rowGrid,
          "min-h-16 @max-[1100px]:gap-y-2 @max-[1100px]:py-3",
          !destination.enabled && "text-fg-3",
        )}
      >
        <Plate name={plates[destination.type]} off={!destination.enabled} />
        <div className="grid min-w-0 leading-4">
          <Link
            to={paths.destination(path, destination.id)}
            dir="auto"
            className={cx(
              "truncate rounded-1 text-left hover:underline",
              destination.enabled ? "font-semibold text-fg-1" : "text-fg-2",
            )}
          >
            {destination.name}
          </Link>
          <span className={second}>{kindTitle(destination.type)}</span>
        </div>
        <div className="grid leading-4 @max-[1100px]:col-start-2 @max-[1100px]:row-start-2">
          <span {...tip(rule)} tabIndex={0} className="w-fit rounded-1">
            <Status kind={kind} word={loading ? "…" : word} />
          </span>
          <span className={cx(secondWhole, "pl-[17px]")}>
            {health?.last_success_at && <Time iso={health.last_success_at} now={now} />}
            {lag !== null && `${health?.last_success_at ? ", lag " : "waiting for "}${lag}`}
          </span>
        </div>
        <div className="overflow-hidden @max-[1100px]:col-start-3 @max-[1100px]:row-start-2">
          {day && (
            <Sparkline
              values={day.delivered}
              trouble={day.failed}
              label={`${all?.delivered ?? 0} delivered and ${all?.failed ?? 0} failed tries in the last 24 hours`}
            />
          )}
        </div>
        <div className="grid leading-4 @max-[1100px]:col-span-2 @max-[1100px]:col-start-2 @max-[1100px]:row-start-4">
          <NotSent destination={destination} health={health} />
        </div>
        <div className="grid leading-4 @max-[1100px]:col-start-2 @max-[1100px]:row-start-3">
          <PrivacyLabel destination={destination} />
          <span className={cx(secondWhole, "pl-5")}>{fromKeys(destination)}</span>
        </div>
        <div className="grid text-right leading-4 tabular-nums @max-[1100px]:col-start-3 @max-[1100px]:row-start-3">
          <span {...tip(effectiveRule)} tabIndex={0} className="ml-auto w-fit rounded-1">
            {effective === null ? (
              "–"
            ) : (
              <>
                {percentText(effective)}%{" "}
                <span className="text-fg-3">of {all && counted(decidedCount(all), "call")}</span>
              </>
            )}
          </span>
          <span className="text-11 text-fg-3">
            set to {percentText(destination.sampling_rate)}%{all && `, ${formatCompact(all.delivered)} sent`}
          </span>
        </div>
        <div className="@max-[1100px]:col-start-3 @max-[1100px]:row-start-1 @max-[1100px]:justify-self-end">
          <DestinationSwitch destination={destination} health={health} />
        </div>
        <div className="@max-[1100px]:col-start-4 @max-[1100px]:row-start-1">
          <DestinationMenu destination={destination} dead={health?.dead ?? 0} />
        </div>
      </div>
      {!failing && health?.config_problem && (
        <p className="px-8 pb-4 pl-[78px] text-bad-fg max-md:px-4">
          {health.config_problem}. Enter them again before you switch it on.
        </p>
      )}
      {failing && <DeliveryErrors destination={destination} health={health} />}
    </li>
  );
}

function NotSent({ destination, health }: Pick<DestinationRowProps, "destination" | "health">) {
  const { path } = useWorkspace();
  if (!health) return <span className="text-fg-3">–</span>;
  const all = totals(health.hours);
  const [first, next] = notSent(all);
  if (health.dead > 0) {
    const [other] = notSent({ ...all, dead: 0 });
    return (
      <>
        <Link to={paths.deadLetters(path, destination.id)} className="w-fit rounded-1 text-bad-fg hover:underline">
          {counted(health.dead, "dead letter")}
        </Link>
        <span className={second}>{other ?? "can be sent again"}</span>
      </>
    );
  }
  if (health.backlog > 0) {
    return (
      <>
        <span className={health.status === "failing" && takesAll(destination) ? "text-bad-fg" : "text-fg-2"}>
          {backlogWords(destination, health.backlog)}
        </span>
        <span className={second}>{first}</span>
      </>
    );
  }
  if (first === undefined) return <span className="text-fg-3">{all.delivered > 0 ? "Nothing dropped" : "–"}</span>;
  return (
    <>
      <span className="text-fg-2">{first}</span>
      <span className={second}>{next}</span>
    </>
  );
}

/** What of a call goes out: bodies in orange words with an arrow, metadata alone with a gray lock. */
function PrivacyLabel({ destination }: { destination: Pick<DestinationRecord, "privacy_mode" | "enabled"> }) {
  return destination.privacy_mode ? (
    <span className="flex items-center gap-[7px] text-fg-2">
      <Lock size={13} aria-hidden="true" className="text-fg-3" />
      Metadata only
    </span>
  ) : (
    <span className={cx("flex items-center gap-[7px]", destination.enabled ? "text-warn-fg" : "text-fg-2")}>
      <ChevronRight size={13} aria-hidden="true" />
      {destination.enabled ? "Bodies leave" : "Bodies, while it is on"}
    </span>
  );
}

function fromKeys({ api_key_hashes: hashes }: DestinationRecord): string {
  if (hashes === null) return "from all keys";
  return hashes.length === 1 ? "from 1 key" : `from ${hashes.length} keys`;
}
