import { useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { MatrixGrid } from "./MatrixGrid.tsx";
import { PairTable } from "./PairTable.tsx";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";
import { SequenceScale } from "./SequenceScale.tsx";
import { useAnswer } from "./use-answer.ts";

const most = 2_000;

/** Every row against every row, as colours; the closest pairs beside it as a list. */
export function MatrixView(props: ViewProps) {
  const { playground, run } = props;
  const { store, worker } = playground;
  const { used } = useStore(store);
  const [order, setOrder] = useState<"input" | "group" | "alike">("input");
  const [below, setBelow] = useState("");
  const [table, setTable] = useState(false);
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const byGroup = useMemo(() => {
    const place = new Map(groups.map((group, index) => [group, index]));
    const of = (row: number) => place.get(run.shown[row]?.group ?? "") ?? groups.length;
    return [...run.shown.keys()].toSorted((a, b) => of(a) - of(b));
  }, [run.shown, groups]);
  const wanted = order === "alike" ? ("alike" as const) : order === "group" ? byGroup : null;
  const tooMany = run.shown.length > most;
  const found = useAnswer(worker, "matrix", tooMany ? null : { run: run.id, used, order: wanted }, drawnAt(run)).data;
  if (tooMany) return <p className="p-6 text-fg-2">A matrix is drawn for up to 2,000 rows. The map takes more.</p>;
  if (!found || found.rows.length === 0) return null;
  const typed = Number(below.replace(",", "."));
  const pin = (a: number, b: number) => change(store, { pinned: [a, b], selected: a });
  return (
    <div className="flex flex-col">
      <div className="flex min-h-13 flex-wrap items-center gap-x-3.5 gap-y-1 px-6 py-1.5 max-md:px-4">
        <span className="text-12 text-fg-2" aria-hidden="true">
          Order
        </span>
        <Segmented
          label="Order"
          value={order}
          onChange={setOrder}
          choices={[
            { value: "input", label: "Input" },
            { value: "group", label: "Label" },
            { value: "alike", label: "Cluster" },
          ]}
        />
        <span className="flex items-center gap-2.5 pl-2 text-12 text-fg-2">
          <span aria-hidden="true">Dim below</span>
          <TextInput
            aria-label="Dim below"
            figures
            inputMode="decimal"
            className="w-18"
            placeholder="0.00"
            value={below}
            onChange={(event) => setBelow(event.target.value)}
          />
        </span>
        <span className="grow" />
        <SequenceScale from={found.least} to={found.most} />
        <LinkButton className="text-12" aria-pressed={table} onClick={() => setTable(!table)}>
          {table ? "As picture" : "As table"}
        </LinkButton>
      </div>
      {table ? (
        <div className="px-6 pb-6 max-md:px-4">
          <PairTable found={found} run={run} texts onPin={pin} />
        </div>
      ) : (
        <div className="grid gap-6 px-6 pb-6 max-md:px-4 xl:grid-cols-[minmax(0,1fr)_104px]">
          <MatrixGrid
            found={found}
            shown={run.shown}
            dim={below !== "" && Number.isFinite(typed) ? typed : null}
            picture={playground.picture}
            onPin={pin}
          />
          <PairTable found={found} run={run} onPin={pin} />
        </div>
      )}
    </div>
  );
}
