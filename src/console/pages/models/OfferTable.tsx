import { Link } from "@tanstack/react-router";
import type { EndpointRecord } from "#contract/models.ts";
import { formatCount, formatLatency, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ledger } from "../../shell/ledger.ts";
import { Price } from "../../shell/Price.tsx";
import { providerStatus } from "../../shell/provider-status.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { cx } from "../../ui/cx.ts";
import { Status } from "../../ui/Status.tsx";
import type { Offer, ModelRow } from "./offers.ts";

const heads: readonly { text: string; figures?: true }[] = [
  { text: "Provider" },
  { text: "Status" },
  { text: "Price for a million tokens" },
  { text: "Went well, 30 min", figures: true },
  { text: "First byte, p50", figures: true },
  { text: "Tokens a second, p50", figures: true },
  { text: "Context", figures: true },
  { text: "Dimensions", figures: true },
];

interface OfferTableProps {
  row: ModelRow;
  fresh: boolean;
  /** what was measured; undefined while that is not known */
  endpoints: readonly EndpointRecord[] | undefined;
}

/** Everybody who serves a model: those switched off stand last. */
export function OfferTable({ row, fresh, endpoints }: OfferTableProps) {
  return (
    <div className={ledger.scroll} role="region" aria-label="Providers, scrolls sideways" tabIndex={0}>
      <table className={ledger.table} aria-label={`Providers of ${row.id}`}>
        <thead>
          <tr>
            {heads.map(({ text, figures }, index) => (
              <th
                key={text}
                scope="col"
                className={cx(ledger.head, figures && ledger.figures, index === 0 && ledger.fixed)}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row.offers.map((offer) => (
            <Row
              key={offer.provider.slug}
              offer={offer}
              fresh={fresh}
              measured={endpoints?.find(({ tag }) => tag === offer.provider.slug)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  offer: Offer;
  fresh: boolean;
  measured: EndpointRecord | undefined;
}

function Row({ offer: { provider, model, on }, fresh, measured }: RowProps) {
  const { path } = useWorkspace();
  const held = measured?.status === -2;
  const status =
    on && held
      ? ({ kind: "trouble", word: "Held back" } as const)
      : providerStatus({ enabled: on, health: provider.health }, fresh);
  const uptime = measured?.uptime_last_30m ?? null;
  const latency = measured?.latency_last_30m?.p50;
  const throughput = measured?.throughput_last_30m?.p50;
  return (
    <tr className={cx("hover:bg-bg-2", !on && "text-fg-3")}>
      <th scope="row" className={cx(ledger.cell, ledger.fixed, "font-normal")}>
        <div className="grid leading-4">
          <Link
            to={paths.provider(path, provider.slug)}
            className={cx("truncate hover:underline", on ? "font-semibold text-fg-1" : "text-fg-2")}
          >
            {provider.name}
          </Link>
          <span translate="no" className="truncate font-mono text-[10.5px]/3.5 text-fg-3">
            {model.upstream_id}
          </span>
        </div>
      </th>
      <td className={ledger.cell}>
        <Status {...status} />
      </td>
      <td className={ledger.cell}>
        <Price pricing={model.pricing} />
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>{uptime === null ? "–" : formatPercent(uptime / 100)}</td>
      <td className={cx(ledger.cell, ledger.figures)}>{latency === undefined ? "–" : formatLatency(latency)}</td>
      <td className={cx(ledger.cell, ledger.figures)}>{throughput === undefined ? "–" : formatCount(throughput)}</td>
      <td className={cx(ledger.cell, ledger.figures)}>
        {model.context_length === null ? "–" : formatCount(model.context_length)}
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>
        {model.dimensions === null ? "–" : formatCount(model.dimensions)}
      </td>
    </tr>
  );
}
