import { Link } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { counted, formatCount, formatLatency, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { callsSeen, type CallsSeen, callsSeenWords, providerStatus } from "../../shell/provider-status.ts";
import type { Column } from "../../table/column.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { Sparkline } from "../../ui/Bars.tsx";
import { cx } from "../../ui/cx.ts";
import { Plate } from "../../ui/Plate.tsx";
import { Status } from "../../ui/Status.tsx";
import { dataPolicy, modelsOffered, presetLabel } from "./labels.ts";
import { ProviderSwitch } from "./ProviderSwitch.tsx";

/** A provider, and its position among the others. */
export interface RankedProvider {
  provider: ProviderRecord;
  /** counted from 0 */
  place: number;
}

export interface ProviderContext {
  now: Date;
  /** as written in the address */
  workspace: string;
  /** false where the health could not be read again */
  fresh: boolean;
  fromEnvironment: (slug: string) => boolean;
  /** how many workspaces bring keys of their own; undefined while that is not known */
  byok: (slug: string) => string | undefined;
  /** the most calls in an hour on the scale of the drawings; undefined: each has its own */
  highest: number | undefined;
  count: number;
  onMove: (provider: ProviderRecord, by: -1 | 1) => void;
  /** why nothing can be moved now */
  reason: string | undefined;
}

const second = "text-11 text-fg-3";
/** "1,204 calls in 30 min": what is longer may take two lines. */
const shortWords = 21;
const rate = (value: number | null) => (value === null ? "–" : formatPercent(value));
const latency = (value: number | null) => (value === null ? "–" : formatLatency(value));
const seenIn = ({ health }: ProviderRecord, fresh: boolean) => (fresh ? callsSeen(health) : null);
const seenWords = ({ health }: ProviderRecord, { fresh, now }: ProviderContext) =>
  fresh ? callsSeenWords(health, now) : "was not read again";

/** Eleven columns are close to each other. */
const tight = "not-first:not-last:px-2";
/**
 * Columns that need room: without it the drawing goes, then the figures stand in a line under the row, and on a phone the
 * status under the name; there the order is changed in the row's menu.
 */
const wide = cx(tight, "@max-[1200px]:hidden");
const middle = cx(tight, "@max-[1000px]:hidden");
const tablet = cx(tight, "@max-[700px]:hidden");
const phone = "hidden @max-[700px]:inline";

/**
 * The name takes what the other columns leave. Where some are gone that is said in numbers: the rows that reach over all
 * columns would make empty ones in their place, which take their part of what is left.
 */
const nameWidth =
  "@max-[1200px]:w-[max(168px,calc(100cqw-878px))] @max-[1000px]:w-[calc(100cqw-404px)] @max-[700px]:w-[calc(100cqw-144px)]";

export const providerColumns: readonly Column<RankedProvider, ProviderContext>[] = [
  {
    id: "name",
    head: "Provider",
    className: nameWidth,
    skeleton: { width: 120, two: true },
    cell: ({ provider }, { workspace, fresh, fromEnvironment }) => (
      <div className="flex items-center gap-3">
        <Plate name={provider.name} off={!provider.enabled} />
        <div className="grid min-w-0 leading-4">
          <Link
            to={paths.provider(workspace, provider.slug)}
            dir="auto"
            className={cx(
              "max-w-60 @max-[700px]:max-w-full truncate rounded-1 hover:underline",
              provider.enabled ? "font-semibold text-fg-1" : "text-fg-2",
            )}
          >
            {provider.name}
          </Link>
          <span className={cx(second, "truncate")}>
            {presetLabel(provider)}
            {fromEnvironment(provider.slug) && " · from the environment"}
          </span>
          <span className={cx(phone, "pt-0.5")}>
            <Status {...providerStatus(provider, fresh)} />
          </span>
        </div>
      </div>
    ),
  },
  {
    id: "status",
    head: "Status",
    width: 170,
    className: cx(tablet, "@max-[1000px]:w-40"),
    skeleton: { width: 84 },
    cell: ({ provider }, context) => {
      const words = seenWords(provider, context);
      return (
        <div className="grid leading-4">
          <Status {...providerStatus(provider, context.fresh)} />
          <span className={cx(second, "pl-[17px]", words.length <= shortWords && "whitespace-nowrap")}>{words}</span>
        </div>
      );
    },
  },
  {
    id: "calls",
    head: "Calls, 24 h",
    width: 110,
    className: wide,
    skeleton: { width: 94 },
    cell: ({ provider: { health } }, { fresh, highest }) => fresh && <LastDay of={health} highest={highest} />,
  },
  {
    id: "latency",
    head: "p50 / p95, 30 min",
    width: 110,
    figures: true,
    className: middle,
    cell: ({ provider: { health } }, { fresh }) =>
      fresh && health.latency_p50_ms !== null
        ? `${latency(health.latency_p50_ms)} / ${latency(health.latency_p95_ms)}`
        : "–",
  },
  {
    id: "errors",
    head: "Errors",
    width: 110,
    figures: true,
    className: middle,
    cell: ({ provider }, { fresh }) => {
      const seen = seenIn(provider, fresh);
      return (
        <div className="grid leading-4">
          {rate(seen?.errorRate ?? null)}
          {seen !== null && <span className={second}>{errorWords(seen, provider.health)}</span>}
        </div>
      );
    },
  },
  {
    id: "models",
    head: "Models",
    width: 72,
    figures: true,
    className: middle,
    skeleton: { width: 24 },
    cell: ({ provider }) => {
      const { count, unpriced } = modelsOffered(provider);
      return (
        <div className="grid leading-4">
          {count}
          {unpriced > 0 && <span className={second}>{unpriced} unpriced</span>}
        </div>
      );
    },
  },
  {
    id: "byok",
    head: "Own keys",
    width: 70,
    figures: true,
    className: middle,
    skeleton: { width: 24 },
    cell: ({ provider }, { byok }) => (provider.kind === "builtin" ? "–" : (byok(provider.slug) ?? "–")),
  },
  {
    id: "data_policy",
    head: "Data policy",
    width: 102,
    className: middle,
    skeleton: { width: 86 },
    cell: ({ provider }) => dataPolicy(provider),
  },
  {
    id: "enabled",
    head: "Takes calls",
    width: 76,
    className: cx(tight, "@max-[700px]:w-22"),
    cell: ({ provider }) => <ProviderSwitch provider={provider} />,
  },
  {
    id: "order",
    head: "Order",
    width: 96,
    className: tablet,
    cell: ({ provider, place }, { count, onMove, reason }) => (
      <span className="inline-flex items-center gap-1">
        <span className="w-5 text-right text-fg-3 tabular-nums">{place + 1}</span>
        <MoveButtons
          name={provider.name}
          place={place}
          count={count}
          onMove={(by) => onMove(provider, by)}
          disabledReason={reason}
        />
      </span>
    ),
  },
];

/** "30 min, 12% overload": the rest of a rate of errors. */
function errorWords({ window }: CallsSeen, { overload_rate_last_30m: overload }: ProviderRecord["health"]): string {
  return `${window.short}${overload !== null && overload > 0 ? `, ${formatPercent(overload)} overload` : ""}`;
}

/** Over the drawings that it scales: gone where they are. */
export const scaleClass = "@max-[1200px]:hidden";

/** Where there is no room for the columns of figures: the same in one line under the row. */
export function FigureLine({ provider, context }: { provider: ProviderRecord; context: ProviderContext }) {
  const { fresh } = context;
  const { health } = provider;
  const seen = seenIn(provider, fresh);
  const offered = modelsOffered(provider);
  const byok = context.byok(provider.slug);
  const words = seenWords(provider, context);
  const figures = [
    fresh &&
      health.latency_p50_ms !== null &&
      `half in ${latency(health.latency_p50_ms)}, p95 ${latency(health.latency_p95_ms)}`,
    seen !== null && `${rate(seen.errorRate)} errors in ${errorWords(seen, health)}`,
    `${counted(offered.count, "model")}${offered.unpriced > 0 ? `, ${offered.unpriced} unpriced` : ""}`,
    provider.kind !== "builtin" && byok !== undefined && byok !== "–" && `own keys: ${byok}`,
    dataPolicy(provider),
  ].filter((figure) => figure !== false);
  return (
    <ul
      aria-label={`Figures of ${provider.name}`}
      className={cx(second, "sticky left-0 w-[100cqw] flex flex-wrap gap-x-3 px-4 pb-2 @min-[700px]:pl-18")}
    >
      {words !== "" && <li className={phone}>{words}</li>}
      {figures.map((figure) => (
        <li key={figure}>{figure}</li>
      ))}
    </ul>
  );
}

function LastDay({ of: { ledger: day }, highest }: { of: ProviderRecord["health"]; highest: number | undefined }) {
  return (
    <Sparkline
      values={day.hours.map(({ calls, failures }) => calls - failures)}
      trouble={day.hours.map(({ failures }) => failures)}
      highest={highest}
      label={`${counted(day.calls, "call")} in the last 24 hours, ${formatCount(day.failures)} of them failed`}
    />
  );
}
