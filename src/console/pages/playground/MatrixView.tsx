import { useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { ChoosePart, PartOf } from "./ChoosePart.tsx";
import { mostMatrixRows } from "../../vectors/matrix.ts";
import { matrixParts } from "./matrix-parts.ts";
import { MatrixGrid } from "./MatrixGrid.tsx";
import { PairTable } from "./PairTable.tsx";
import { change, drawnAt } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";
import { groupsOf } from "./rows.ts";
import { SequenceScale } from "./SequenceScale.tsx";
import { similarityScale } from "../../vectors/similarity-scale.ts";
import { useAnswer } from "./use-answer.ts";
import { matrixSentence } from "./view-sentences.ts";
import { ViewSentence } from "./ViewSentence.tsx";

/** Every row against every row, as colors, with the closest pairs in a list next to it. */
export function MatrixView(props: ViewProps) {
  const { playground, run, hits } = props;
  const { store, worker } = playground;
  const { used, near, selected, picked } = useStore(store);
  const [partId, setPartId] = useState<string>();
  const [order, setOrder] = useState<"input" | "group" | "alike">("input");
  const [below, setBelow] = useState("");
  const [table, setTable] = useState(false);
  const [stretched, setStretched] = useState(false);
  const groups = useMemo(() => groupsOf(run.shown), [run.shown]);
  const byGroup = useMemo(() => {
    const place = new Map(groups.map((group, index) => [group, index]));
    const of = (row: number) => place.get(run.shown[row]?.group ?? "") ?? groups.length;
    return [...run.shown.keys()].toSorted((a, b) => of(a) - of(b));
  }, [run.shown, groups]);
  const wanted = order === "alike" ? ("alike" as const) : order === "group" ? byGroup : null;
  const { failures } = run.progress;
  const parts = useMemo(() => matrixParts(run.shown, picked, failures), [run.shown, picked, failures]);
  const part = parts.find(({ id }) => id === partId);
  const tooMany = run.shown.length > mostMatrixRows;
  const asked = tooMany && part === undefined ? null : { run: run.id, used, order: wanted, among: part?.rows ?? null };
  const found = useAnswer(worker, "matrix", asked, drawnAt(run)).data;
  const scale = useMemo(() => found && similarityScale(found, stretched), [found, stretched]);
  if (asked === null) return <ChoosePart all={run.shown.length} parts={parts} onChoose={setPartId} set={props.set} />;
  if (!found || !scale || found.rows.length === 0) return null;
  const typed = Number(below.replace(",", "."));
  const pin = (a: number, b: number) => change(store, { pinned: [a, b], selected: a });
  return (
    <div className="flex flex-col">
      <ViewSentence sentence={matrixSentence(found, run.shown)} run={run} rows={found.rows.length} />
      <div className="flex min-h-13 flex-wrap items-center gap-x-3.5 gap-y-1 px-(--pane-x) py-1.5">
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
        {tooMany && part && <PartOf all={run.shown.length} part={part} parts={parts} onChoose={setPartId} />}
        <span className="grow" />
        <SequenceScale scale={scale} median={found.median} least={found.least} />
        {found.most > found.least && (
          <LinkButton className="text-12" onClick={() => setStretched(!stretched)}>
            {stretched ? "End the scale at 1.00" : "Stretch the scale"}
          </LinkButton>
        )}
        <LinkButton className="text-12" aria-pressed={table} onClick={() => setTable(!table)}>
          {table ? "As image" : "As table"}
        </LinkButton>
      </div>
      {table ? (
        <div className="px-(--pane-x) pb-6">
          <PairTable found={found} run={run} textsOn={scale} onPin={pin} />
        </div>
      ) : (
        <div className="grid gap-6 px-(--pane-x) pb-6 @min-[640px]/results:grid-cols-[minmax(0,1fr)_104px]">
          <MatrixGrid
            found={found}
            shown={run.shown}
            scale={scale}
            hits={hits ? Array.from(hits.rows.subarray(0, near)) : []}
            selected={hits ? selected : null}
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
