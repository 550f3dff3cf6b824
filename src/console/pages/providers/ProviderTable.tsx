import { Fragment } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/reachable.ts";
import { ledger } from "../../shell/ledger.ts";
import { inTrouble } from "../../shell/provider-status.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { paths } from "../../paths.ts";
import { useRowCursor } from "../../table/row-cursor.ts";
import { PartialNotice } from "../../ui/Region.tsx";
import { Skeleton, SkeletonTwo } from "../../ui/Skeleton.tsx";
import { useNavigate } from "@tanstack/react-router";
import { ProviderRow } from "./ProviderRow.tsx";
import { Trouble } from "./Trouble.tsx";
import { useAddedBy } from "./added-by.ts";
import { useByokCounts } from "./byok-counts.ts";
import { useOrder } from "./use-order.ts";

const heads: readonly { text: string; figures?: true }[] = [
  { text: "Provider" },
  { text: "Status, last 30 min" },
  { text: "p50 / p95", figures: true },
  { text: "Errors", figures: true },
  { text: "Overloaded", figures: true },
  { text: "Models", figures: true },
  { text: "Own keys", figures: true },
  { text: "Requests there" },
  { text: "Takes calls" },
  { text: "Order" },
];

function Head() {
  return (
    <thead>
      <tr>
        {heads.map(({ text, figures }, index) => (
          <th
            key={text}
            scope="col"
            className={`${ledger.head} ${figures ? ledger.figures : ""} ${index === 0 ? ledger.fixed : ""}`}
          >
            {text}
          </th>
        ))}
        <th scope="col" className={ledger.head}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** @param fresh false where the health could not be read again */
export function ProviderTable({ providers, fresh }: { providers: readonly ProviderRecord[]; fresh: boolean }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const addedBy = useAddedBy();
  const byok = useByokCounts();
  const { move, said } = useOrder(providers);
  const cursor = useRowCursor(providers.map(({ slug }) => slug));
  const go = (to: (workspace: string, slug: string) => string) =>
    cursor.current !== null && void navigate({ to: to(path, cursor.current) });
  useShortcut("j", "Next row", () => cursor.move(1));
  useShortcut("k", "Row before", () => cursor.move(-1));
  useShortcut("e", "Edit the row's provider", () => go(paths.editProvider));
  useShortcut("Delete", "Delete the row's provider", () => go(paths.deleteProvider), reason === undefined);
  return (
    <>
      {byok.failed && (
        <PartialNotice onRetry={byok.retry} retrying={byok.retrying}>
          How many workspaces bring keys of their own is not known: that list did not load.
        </PartialNotice>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className={ledger.scroll} role="region" aria-label="Providers, scrolls sideways" tabIndex={0}>
        <table className={ledger.table} aria-label="Providers">
          <Head />
          <tbody>
            {providers.map((provider, place) => (
              <Fragment key={provider.slug}>
                <ProviderRow
                  provider={provider}
                  fresh={fresh}
                  fromEnvironment={addedBy(provider.slug)?.environment ?? false}
                  byok={byok.of(provider.slug)}
                  current={cursor.current === provider.slug}
                  place={place}
                  count={providers.length}
                  onMove={(by) => void move(provider, by)}
                  disabledReason={reason}
                />
                {fresh && inTrouble(provider) && <Trouble provider={provider} span={heads.length + 1} />}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function ProviderTableSkeleton() {
  return (
    <div className="overflow-hidden">
      <table className={ledger.table}>
        <Head />
        <tbody>
          {[96, 132, 84, 118].map((width) => (
            <tr key={width}>
              <td className={`${ledger.cell} h-14 ${ledger.fixed}`}>
                <SkeletonTwo width={width} />
              </td>
              {[84, 72, 40, 40, 24, 24, 96, 56, 56].map((cell, index) => (
                <td key={index} className={ledger.cell}>
                  <Skeleton width={cell} />
                </td>
              ))}
              <td className={ledger.cell} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
