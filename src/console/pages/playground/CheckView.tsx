import { useMemo, useState, type ReactNode } from "react";
import { useStore } from "../../api/store.ts";
import { toCsv } from "../../csv.ts";
import { capital, counted, formatCount, formatPercent } from "../../format.ts";
import { download } from "../../shell/download.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { toast } from "../../ui/toast.ts";
import type { RowScan } from "../../vectors/protocol.ts";
import { sameLevels } from "../../vectors/row-scan.ts";
import { cosineText } from "../../vectors/similarity-scale.ts";
import { NeighbourList } from "./NeighbourList.tsx";
import { change, underWay, type Run } from "./playground.ts";
import { removeRows, restoreRows } from "./remove-rows.ts";
import { RowFace } from "./RowFace.tsx";
import {
  checkHeader,
  checkLines,
  furtherRows,
  labelCodes,
  rowsToCheck,
  type SameLevel,
  checkSentence,
} from "./rows-to-check.ts";
import { useAnswer } from "./use-answer.ts";
import { ViewSentence } from "./ViewSentence.tsx";
import type { ViewProps } from "./view-props.ts";
import { WorkProgress } from "./WorkProgress.tsx";

const listed = 50;

/** The last scan of each run, so that another view does not cost it; forgotten together with the run. */
const scans = new WeakMap<Run["items"], { key: string; scan: RowScan }>();

function useScan({ playground, run }: ViewProps) {
  const { used } = useStore(playground.store);
  const labels = useMemo(() => labelCodes(run.shown.map(({ group }) => group)), [run.shown]);
  const key = `${used} ${run.progress.done}`;
  const last = scans.get(run.items);
  const isKnown = last?.key === key;
  const wanted = !underWay(run.progress) && !isKnown ? { run: run.id, used, labels } : null;
  const answer = useAnswer(playground.worker, "scan", wanted, run.progress.done);
  if (wanted && answer.data && !answer.pending) scans.set(run.items, { key, scan: answer.data });
  return { scan: isKnown ? last.scan : answer.data, answer };
}

/** Rows to look at: labels unlike those around, near-duplicates, rows that lie alone, rows of an unknown language. */
export function CheckView(props: ViewProps) {
  const { run } = props;
  const [level, setLevel] = useState<SameLevel>(0.95);
  const { scan, answer } = useScan(props);
  const found = useMemo(() => scan && rowsToCheck(scan, run, level), [scan, run, level]);
  const labeled = run.shown.some(({ group }) => group !== "");
  return (
    <>
      <ViewSentence
        sentence={found ? checkSentence(found, labeled) : null}
        run={run}
        work={<WorkProgress work={answer} what="Comparing rows" />}
      />
      <div className="grid grow @max-[600px]/results:grid-rows-[auto_auto] @min-[600px]/results:min-h-60 @min-[600px]/results:grid-cols-[minmax(0,1fr)_clamp(220px,36%,300px)]">
        <div className="grid min-w-0 content-start gap-7 px-(--pane-x) py-5 @min-[600px]/results:overflow-y-auto">
          {underWay(run.progress) && <p className="text-fg-2">Rows are compared once the run is over.</p>}
          {answer.error !== undefined && !answer.cancelled && <p className="text-fg-2">{answer.error}</p>}
          <Removed {...props} />
          {scan && found && (
            <>
              <Doubtful {...props} found={found} labeled={labeled} />
              <Same {...props} found={found} level={level} onLevel={setLevel} />
              <Lonely {...props} found={found} />
              <Unfamiliar {...props} found={found} />
              {scan.compared < 1 && (
                <p className="text-12 text-fg-3">
                  Of so many rows, {formatPercent(scan.compared)} of all pairs were compared: those that are likely to
                  be near. A few near-duplicates may be missing.
                </p>
              )}
              <LinkButton
                className="justify-self-start text-12"
                onClick={() =>
                  download(
                    "rows-to-check.csv",
                    toCsv(checkHeader, checkLines(found, run.shown, ["label", "same", "alone", "language"])),
                    "text/csv",
                  )
                }
              >
                Export all as CSV
              </LinkButton>
            </>
          )}
        </div>
        <div className="border-line px-(--pane-x) py-4 @max-[600px]/results:border-t @min-[600px]/results:overflow-y-auto @min-[600px]/results:border-l @min-[600px]/results:pl-4">
          <NeighbourList {...props} />
        </div>
      </div>
    </>
  );
}

type Found = ViewProps & { found: ReturnType<typeof rowsToCheck> };

function Doubtful({ found, labeled, ...props }: Found & { labeled: boolean }) {
  const { doubtful } = found;
  return (
    <Kind
      {...props}
      title="Label unlike its neighbors’"
      kind="label"
      found={found}
      rows={doubtful.map(({ row }) => row)}
      empty={
        labeled
          ? "No row. Each has at least two of its five nearest in its own label, or they do not agree."
          : "No row has a label."
      }
      about="At most one of the five nearest rows has its label, and most of them agree on another."
    >
      {(shown) =>
        doubtful.slice(0, shown).map(({ row, label, theirs, count, of }) => (
          <RowLine
            key={row}
            {...props}
            row={row}
            note={
              <>
                <bdi>{label}</bdi>; {count} of {of} nearest: <bdi className="text-fg-1">{theirs}</bdi>
              </>
            }
          />
        ))
      }
    </Kind>
  );
}

function Same({ found, level, onLevel, ...props }: Found & { level: SameLevel; onLevel: (level: SameLevel) => void }) {
  const { same } = found;
  const further = furtherRows(same);
  return (
    <Kind
      {...props}
      title="Near-duplicates"
      kind="same"
      found={found}
      rows={same.flat()}
      count={same.length === 0 ? "" : `${counted(same.length, "set")} of ${counted(same.flat().length, "row")}`}
      empty="No two rows are that alike."
      about="Each row of a set is connected with the others by cosines of at least the chosen one."
      aside={
        <NativeSelect
          size="sm"
          aria-label="Cosine from which rows count as the same"
          value={level}
          onChange={(event) => onLevel(sameLevels.find((one) => one === Number(event.target.value)) ?? 0.95)}
        >
          {sameLevels.map((one) => (
            <option key={one} value={one}>
              ≥ {one}
            </option>
          ))}
        </NativeSelect>
      }
      remove={{ label: "Keep one of each", rows: further }}
      length={same.length}
    >
      {(shown) =>
        same.slice(0, shown).map((set, at) => (
          <li key={set[0]} className="border-b border-line py-1">
            <p className="flex items-center gap-3 text-12 text-fg-3">
              <span className="grow tabular-nums">
                Set {at + 1}, {counted(set.length, "row")}
              </span>
              <LinkButton aria-label={`Keep one of set ${at + 1}`} onClick={() => remove(props, set.slice(1))}>
                Keep one
              </LinkButton>
            </p>
            <ul>
              {set.slice(0, 10).map((row) => (
                <RowLine key={row} {...props} row={row} plain />
              ))}
            </ul>
            {set.length > 10 && <p className="text-12 text-fg-3">and {formatCount(set.length - 10)} more</p>}
          </li>
        ))
      }
    </Kind>
  );
}

function Lonely({ found, ...props }: Found) {
  return (
    <Kind
      {...props}
      title="Rows that lie alone"
      kind="alone"
      found={found}
      rows={found.lonely.map(({ row }) => row)}
      empty="No row lies much farther from its nearest than the others."
      about="Even the nearest row is much farther away than is usual here."
    >
      {(shown) =>
        found.lonely
          .slice(0, shown)
          .map(({ row, score }) => <RowLine key={row} {...props} row={row} note={`nearest ${cosineText(score)}`} />)
      }
    </Kind>
  );
}

function Unfamiliar({ found, ...props }: Found) {
  return (
    <Kind
      {...props}
      title="Language or script that the model does not know"
      kind="language"
      found={found}
      rows={found.unfamiliar}
      empty={
        props.run.model === "gatehouse/semantic-en"
          ? "No row looks like one."
          : "This model does not say which languages it knows."
      }
      about="The vectors of these rows say little."
    >
      {(shown) => found.unfamiliar.slice(0, shown).map((row) => <RowLine key={row} {...props} row={row} />)}
    </Kind>
  );
}

interface KindProps extends Found {
  title: string;
  kind: Parameters<typeof checkLines>[2][number];
  rows: readonly number[];
  /** what stands for the number of rows */
  count?: string;
  empty: string;
  about: string;
  aside?: ReactNode;
  /** what is removed at a press, where not all of the rows */
  remove?: { label: string; rows: readonly number[] };
  /** how many entries there are, where not one for each row */
  length?: number;
  children: (shown: number) => ReactNode;
}

/** One kind of rows, with what can be done with all of them. */
function Kind({ title, kind, rows, count, empty, about, aside, length = rows.length, children, ...props }: KindProps) {
  const { playground, run, set, found } = props;
  const [shown, setShown] = useState(listed);
  const removal = props.remove ?? { label: "Remove", rows };
  const see = (view: "map" | "list") => {
    change(playground.store, { picked: rows, selected: null });
    set({ view });
  };
  return (
    <section aria-label={title}>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-2 pb-1">
        <h2 className="text-14 font-semibold">{title}</h2>
        <span className="grow text-12 text-fg-3 tabular-nums">
          {count ?? (rows.length > 0 && formatCount(rows.length))}
        </span>
        {aside}
        {rows.length > 0 && (
          <span className="flex flex-wrap gap-2">
            <Button size="sm" variant="quiet" onClick={() => see("map")}>
              Show on the map
            </Button>
            <Button size="sm" variant="quiet" onClick={() => see("list")}>
              Select
            </Button>
            <Button
              size="sm"
              variant="quiet"
              onClick={() =>
                download(
                  `rows-to-check_${kind}.csv`,
                  toCsv(checkHeader, checkLines(found, run.shown, [kind])),
                  "text/csv",
                )
              }
            >
              Export
            </Button>
            <Button
              size="sm"
              disabledReason={underWay(run.progress) && "The run is under way"}
              onClick={() => remove(props, removal.rows)}
            >
              {removal.label}
            </Button>
          </span>
        )}
      </div>
      <p className="py-1 text-12 text-fg-3">{rows.length === 0 ? empty : about}</p>
      {rows.length > 0 && <ul aria-label={title}>{children(shown)}</ul>}
      {length > shown && (
        <LinkButton className="mt-1 text-12" onClick={() => setShown(shown + 10 * listed)}>
          Show {formatCount(Math.min(10 * listed, length - shown))} more of {formatCount(length)}
        </LinkButton>
      )}
    </section>
  );
}

interface RowLineProps extends ViewProps {
  row: number;
  note?: ReactNode;
  /** without a line under it */
  plain?: boolean;
}

function RowLine({ playground: { store }, run, row, note, plain = false }: RowLineProps) {
  const { selected } = useStore(store);
  return (
    <li className={plain ? undefined : "border-b border-line"}>
      <button
        type="button"
        aria-pressed={row === selected}
        onClick={() => change(store, { selected: row })}
        className={cx(
          "flex min-h-7 w-full flex-wrap items-center gap-x-2 py-0.5 text-left -outline-offset-2 hover:bg-bg-3",
          row === selected && "bg-accent-bg shadow-[inset_3px_0_0_var(--accent)]",
        )}
      >
        <span className="w-10 shrink-0 text-right text-12 text-fg-3 tabular-nums">{run.shown[row]?.number}</span>
        <RowFace shown={run.shown[row]} most={300} side="size-9" className="min-w-40 flex-1 truncate" />
        {note !== undefined && (
          <span className="text-12 text-fg-2 wrap-anywhere @max-[600px]/results:basis-full @max-[600px]/results:pl-12">
            {note}
          </span>
        )}
      </button>
    </li>
  );
}

function remove({ playground, run }: Pick<ViewProps, "playground" | "run">, rows: readonly number[]): void {
  const undo = removeRows(playground, run, rows);
  toast({
    message: `${capital(counted(rows.length, "row"))} removed.`,
    detail: run.example ? "From the pictures of this run." : "From this run and the input.",
    action: { label: "Undo", onSelect: undo },
  });
}

/** What was removed, with a way back that lasts longer than a toast. */
function Removed({ playground, run }: ViewProps) {
  const count = run.removed?.size ?? 0;
  if (count === 0) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-12 text-fg-2">
      {capital(counted(count, "row"))} removed from this run: no view and no export has {count === 1 ? "it" : "them"}.
      <LinkButton onClick={() => restoreRows(playground, run)}>Put back</LinkButton>
    </p>
  );
}
