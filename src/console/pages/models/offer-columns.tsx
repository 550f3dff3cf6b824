import type { EndpointRecord } from "#contract/models.ts";
import { counted, formatCountOrDash, formatLatency, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Price } from "../../shell/Price.tsx";
import { UpstreamName } from "../../shell/UpstreamName.tsx";
import { providerStatus } from "../../shell/provider-status.ts";
import type { Column } from "../../table/column.ts";
import { Status } from "../../ui/Status.tsx";
import type { Offer } from "./offers.ts";

export interface OfferContext {
  /** as written in the address */
  workspace: string;
  /** false where the health could not be read again */
  fresh: boolean;
  /** what was measured; undefined while that is not known */
  measured: (offer: Offer) => EndpointRecord | undefined;
}

export const offerColumns: readonly Column<Offer, OfferContext>[] = [
  {
    id: "provider",
    head: "Provider",
    width: 208,
    fixed: true,
    cell: ({ provider, model, on }, { workspace }) => (
      <UpstreamName
        to={paths.provider(workspace, provider.slug)}
        name={provider.name}
        upstreamId={model.upstream_id}
        on={on}
      />
    ),
  },
  {
    id: "status",
    head: "Status",
    width: 128,
    cell: (offer, { fresh, measured }) => {
      const held = offer.on && measured(offer)?.status === -2;
      if (held) return <Status kind="trouble" word="Held back" />;
      return <Status {...providerStatus({ enabled: offer.on, health: offer.provider.health }, fresh)} />;
    },
  },
  {
    id: "price",
    head: "Price, tokens per million",
    width: 176,
    cell: ({ model }) => <Price pricing={model.pricing} />,
  },
  {
    id: "uptime",
    head: "Succeeded",
    width: 104,
    figures: true,
    cell: (offer, { measured }) => <WentWell uptime={measured(offer)?.uptime_last_30m ?? null} day={dayOf(offer)} />,
  },
  {
    id: "latency",
    head: "First byte, p50, 30 min",
    width: 156,
    figures: true,
    cell: (offer, { measured }) => {
      const latency = measured(offer)?.latency_last_30m?.p50;
      return latency === undefined ? "–" : formatLatency(latency);
    },
  },
  {
    id: "throughput",
    head: "Tokens per second, p50, 30 min",
    width: 192,
    figures: true,
    cell: (offer, { measured }) => formatCountOrDash(measured(offer)?.throughput_last_30m?.p50),
  },
  {
    id: "context",
    head: "Context",
    width: 84,
    figures: true,
    cell: ({ model }) => formatCountOrDash(model.context_length),
  },
  {
    id: "dimensions",
    head: "Dimensions",
    width: 112,
    figures: true,
    cell: ({ model }) => formatCountOrDash(model.dimensions),
  },
];

interface WentWellProps {
  /** percent, as this process measured it in the last 30 minutes */
  uptime: number | null;
  day: { calls: number; failures: number } | undefined;
}

/** The share of calls that went well, with the window that it is of. */
function WentWell({ uptime, day }: WentWellProps) {
  if (uptime === null && day === undefined) return "–";
  const [share, window] =
    uptime === null && day !== undefined
      ? [(day.calls - day.failures) / day.calls, `24 h, ${counted(day.calls, "call")}`]
      : [(uptime ?? 0) / 100, "30 min"];
  return (
    <div className="grid leading-4">
      {formatPercent(share)}
      <span className="text-11 text-fg-3">{window}</span>
    </div>
  );
}

function dayOf({ provider, model }: Offer): WentWellProps["day"] {
  const day = provider.health.ledger.models.find(({ id }) => id === model.id);
  return day === undefined || day.calls === 0 ? undefined : day;
}
