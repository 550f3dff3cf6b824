import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useListCursor } from "../../shell/list-cursor.ts";
import { inTrouble } from "../../shell/provider-status.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { cx } from "../../ui/cx.ts";
import { PartialNotice } from "../../ui/Region.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { useAddedBy } from "./added-by.ts";
import { useByokCounts } from "./byok-counts.ts";
import {
  FigureLine,
  providerColumns,
  scaleClass,
  type ProviderContext,
  type RankedProvider,
} from "./provider-columns.tsx";
import { ProviderErrors, troubleBar } from "./ProviderErrors.tsx";
import { ProviderMenu } from "./ProviderMenu.tsx";
import { useOrder } from "./use-order.ts";

const scales = [
  { value: "one", label: "One scale" },
  { value: "own", label: "Own scales" },
] as const;

/** @param fresh false where the health could not be read again */
export function ProviderTable({ providers, fresh }: { providers: readonly ProviderRecord[]; fresh: boolean }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const now = useNow(minuteMs);
  const addedBy = useAddedBy();
  const byok = useByokCounts();
  const { move, said } = useOrder();
  const [oneScale, setOneScale] = useState(true);
  const highest = Math.max(0, ...providers.flatMap(({ health }) => health.ledger.hours.map(({ calls }) => calls)));
  const cursor = useListCursor(providers.map(({ slug }) => slug));
  const go = (to: (workspace: string, slug: string) => string) =>
    cursor.current !== null && void navigate({ to: to(path, cursor.current) });
  useShortcut("e", "Edit the row's provider", () => go(paths.editProvider));
  useShortcut("Delete", "Delete the row's provider", () => go(paths.deleteProvider), reason === undefined);
  const context: ProviderContext = {
    now,
    workspace: path,
    fresh,
    fromEnvironment: (slug) => addedBy(slug)?.environment ?? false,
    byok: byok.of,
    highest: oneScale ? highest : undefined,
    count: providers.length,
    onMove: (provider, by) => void move(provider, by),
    reason,
  };
  return (
    <>
      {byok.failed && (
        <PartialNotice onRetry={byok.retry} retrying={byok.retrying}>
          The number of workspaces' own keys is unknown: that list did not load.
        </PartialNotice>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="@container">
        <div className={cx("flex items-center justify-end gap-2 px-8 pb-2 max-md:px-4", scaleClass)}>
          <span aria-hidden="true" className="text-12 text-fg-3">
            Charts
          </span>
          <Segmented
            label="Scale of the charts"
            size="sm"
            choices={scales}
            value={oneScale ? "one" : "own"}
            onChange={(scale) => setOneScale(scale === "one")}
          />
        </div>
        <Table
          label="Providers"
          columns={providerColumns}
          context={context}
          rows={providers.map((provider, place) => ({ provider, place }))}
          rowId={({ provider }) => provider.slug}
          rowClass={({ provider }) => rowClass(provider, context)}
          cursor={cursor}
          actions={menu}
          below={below}
        />
      </div>
    </>
  );
}

function rowClass(provider: ProviderRecord, { fresh }: ProviderContext): string {
  const troubled = fresh && inTrouble(provider);
  return cx(
    "[&>*]:h-14 @max-[1000px]:[&>*]:border-b-0",
    troubled && cx("[&>*]:border-b-0", troubleBar(provider)),
    !provider.enabled && "text-fg-3",
  );
}

function menu({ provider, place }: RankedProvider, { count, onMove }: ProviderContext) {
  return <ProviderMenu provider={provider} place={place} count={count} onMove={(by) => onMove(provider, by)} />;
}

function below({ provider }: RankedProvider, context: ProviderContext, span: number) {
  const troubled = context.fresh && inTrouble(provider);
  return (
    <>
      <tr className={cx("hidden @max-[1000px]:table-row", troubled && troubleBar(provider))}>
        <td colSpan={span} className={cx("p-0", !troubled && "border-b border-line")}>
          <FigureLine provider={provider} context={context} />
        </td>
      </tr>
      {troubled && <ProviderErrors provider={provider} span={span} />}
    </>
  );
}

export function ProviderTableSkeleton() {
  return <TableSkeleton columns={providerColumns} rows={4} actions />;
}
