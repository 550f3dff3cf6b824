import { Link } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { formatCount, formatLatency, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ledger } from "../../shell/ledger.ts";
import { inTrouble, providerStatus } from "../../shell/provider-status.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { cx } from "../../ui/cx.ts";
import { Status } from "../../ui/Status.tsx";
import { Plate } from "../../ui/Plate.tsx";
import { ProviderMenu } from "./ProviderMenu.tsx";
import { ProviderSwitch } from "./ProviderSwitch.tsx";
import { troubleBar } from "./Trouble.tsx";
import { dataPolicy, modelsOffered, presetWord } from "./words.ts";

interface ProviderRowProps {
  provider: ProviderRecord;
  fresh: boolean;
  fromEnvironment: boolean;
  byok: string | undefined;
  /** the row under the keyboard */
  current: boolean;
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  disabledReason: string | undefined;
}

const second = "text-11 text-fg-3";
const rate = (value: number | null) => (value === null ? "–" : formatPercent(value));
const latency = (value: number | null) => (value === null ? "–" : formatLatency(value));

export function ProviderRow(props: ProviderRowProps) {
  const { provider, fresh, fromEnvironment, byok, current, place, count, onMove, disabledReason } = props;
  const { path } = useWorkspace();
  const { health } = provider;
  const { kind, word } = providerStatus(provider, fresh);
  const offered = modelsOffered(provider);
  const troubled = fresh && inTrouble(provider);
  return (
    <tr
      className={cx(
        "hover:bg-bg-2",
        current && "bg-bg-2",
        troubled ? cx("[&>*]:border-b-0", troubleBar(provider)) : current && "shadow-[inset_3px_0_0_var(--accent)]",
        !provider.enabled && "text-fg-3",
      )}
    >
      <th scope="row" className={cx(ledger.cell, ledger.fixed, "h-14 font-normal")}>
        <div className="flex items-center gap-3">
          <Plate name={provider.name} off={!provider.enabled} />
          <div className="grid min-w-0 leading-4">
            <Link
              to={paths.provider(path, provider.slug)}
              ref={current ? focusRow : undefined}
              dir="auto"
              className={cx(
                "max-w-60 truncate rounded-1 hover:underline",
                provider.enabled ? "font-semibold text-fg-1" : "text-fg-2",
              )}
            >
              {provider.name}
            </Link>
            <span className={cx(second, "truncate")}>
              {presetWord(provider)}
              {fromEnvironment && " · from the environment"}
            </span>
          </div>
        </div>
      </th>
      <td className={ledger.cell}>
        <div className="grid leading-4">
          <Status kind={kind} word={word} />
          <span className={cx(second, "pl-[17px]")}>
            {!fresh ? "was not read again" : health.calls_last_30m === 0 ? "" : calls(health.calls_last_30m)}
          </span>
        </div>
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>
        {fresh && health.latency_p50_ms !== null
          ? `${latency(health.latency_p50_ms)} / ${latency(health.latency_p95_ms)}`
          : "–"}
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>{fresh ? rate(health.error_rate_last_30m) : "–"}</td>
      <td className={cx(ledger.cell, ledger.figures)}>{fresh ? rate(health.overload_rate_last_30m) : "–"}</td>
      <td className={cx(ledger.cell, ledger.figures)}>
        <div className="grid leading-4">
          {offered.count}
          {offered.unpriced > 0 && <span className={second}>{offered.unpriced} unpriced</span>}
        </div>
      </td>
      <td className={cx(ledger.cell, ledger.figures)}>{provider.kind === "builtin" ? "–" : (byok ?? "–")}</td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>{dataPolicy(provider)}</td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>
        <ProviderSwitch provider={provider} />
      </td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>
        <span className="inline-flex items-center gap-1">
          <span className="w-5 text-right text-fg-3 tabular-nums">{place + 1}</span>
          <MoveButtons
            name={provider.name}
            place={place}
            count={count}
            onMove={onMove}
            disabledReason={disabledReason}
          />
        </span>
      </td>
      <td className={cx(ledger.cell, "text-right")}>
        <ProviderMenu provider={provider} />
      </td>
    </tr>
  );
}

const calls = (count: number) => `${formatCount(count)} ${count === 1 ? "call" : "calls"}`;

function focusRow(link: HTMLAnchorElement | null): void {
  link?.focus();
}
