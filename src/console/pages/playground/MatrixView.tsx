import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { useStore } from "../../api/store.ts";
import { Segmented } from "../../ui/Segmented.tsx";
import { scale } from "./palette.ts";
import { change } from "./playground.ts";
import type { ViewProps } from "./ResultPane.tsx";
import { groupsOf } from "./rows.ts";
import { useAnswer } from "./use-answer.ts";
import { useThemeTurn } from "./use-theme-turn.ts";
import { WhySimilar } from "./WhySimilar.tsx";

const most = 2_000;

/** Every row against every row, as colours; the closest pairs beside it as a list. */
export function MatrixView({ playground, run }: ViewProps) {
  const { store, worker } = playground;
  const { used, pinned } = useStore(store);
  const [order, setOrder] = useState<"input" | "group" | "alike">("input");
  const [cell, setCell] = useState<[number, number]>([0, 0]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const turn = useThemeTurn();
  const groups = groupsOf(run.shown);
  const byGroup = run.shown
    .map((_, place) => place)
    .toSorted((a, b) => groups.indexOf(run.shown[a]?.group ?? "") - groups.indexOf(run.shown[b]?.group ?? ""));
  const wanted = order === "alike" ? ("alike" as const) : order === "group" ? byGroup : null;
  const found = useAnswer(
    worker,
    "matrix",
    run.shown.length > most ? null : { run: run.id, used, order: wanted },
    run.progress.done,
  ).data;
  const size = found?.rows.length ?? 0;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!found || !canvas.current || !context) return;
    const palette = scale(canvas.current);
    const image = context.createImageData(size, size);
    const spread = found.most - found.least || 1;
    found.scores.forEach((score, at) => {
      const step = Math.round(Math.max(0, Math.min(1, (score - found.least) / spread)) * 255) * 4;
      image.data.set(palette.subarray(step, step + 4), at * 4);
    });
    context.putImageData(image, 0, 0);
  }, [found, size, turn]);
  if (run.shown.length > most)
    return <p className="p-6 text-fg-2">A matrix is drawn for up to 2,000 rows. The map takes more.</p>;
  if (!found || size === 0) return null;
  const [i, j] = [Math.min(cell[0], size - 1), Math.min(cell[1], size - 1)];
  const number = (at: number) => run.shown[found.rows[at] ?? 0]?.number ?? 0;
  const said = (a: number, b: number) =>
    `row ${number(a)} × row ${number(b)}, ${(found.scores[a * size + b] ?? 0).toFixed(2)}`;
  const pin = (a: number, b: number) =>
    change(store, { pinned: [found.rows[a] ?? 0, found.rows[b] ?? 0], selected: found.rows[a] ?? null });
  function press(event: KeyboardEvent) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") pin(i, j);
    if (!step) return;
    event.preventDefault();
    setCell([Math.max(0, Math.min(size - 1, i + (step[0] ?? 0))), Math.max(0, Math.min(size - 1, j + (step[1] ?? 0)))]);
  }
  function under(event: PointerEvent): [number, number] {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (share: number) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
    return [at((event.clientY - box.top) / box.height), at((event.clientX - box.left) / box.width)];
  }
  return (
    <div className="grid gap-4 p-6">
      <div className="flex flex-wrap items-center gap-3">
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
        <span className="text-12 text-fg-3 tabular-nums">
          {found.least.toFixed(2)} to {found.most.toFixed(2)}, the diagonal left out
        </span>
      </div>
      <div className="grid gap-6 md:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
        <div
          role="grid"
          tabIndex={-1}
          aria-label="Similarities"
          aria-rowcount={size}
          aria-colcount={size}
          className="relative aspect-square w-full"
          onPointerMove={(event) => setCell(under(event))}
          onClick={() => pin(i, j)}
        >
          <canvas
            ref={canvas}
            width={size}
            height={size}
            aria-hidden="true"
            className="size-full [image-rendering:pixelated]"
          />
          <div role="row" aria-rowindex={i + 1}>
            <div
              role="gridcell"
              aria-colindex={j + 1}
              aria-label={said(i, j)}
              tabIndex={0}
              onKeyDown={press}
              className="absolute min-h-1 min-w-1 outline-2 outline-fg-1 outline-solid"
              style={{
                top: `${(i / size) * 100}%`,
                left: `${(j / size) * 100}%`,
                width: `${100 / size}%`,
                height: `${100 / size}%`,
              }}
            />
          </div>
        </div>
        <div className="min-w-0">
          <p aria-live="polite" className="tabular-nums">
            {said(i, j)}
          </p>
          {[i, j].map((at, side) => (
            <p key={side} className="truncate text-12 text-fg-2">
              {run.shown[found.rows[at] ?? 0]?.text.slice(0, 200)}
            </p>
          ))}
          {pinned && (
            <>
              <p className="pt-2 text-12 text-fg-3">
                Pinned: rows {run.shown[pinned[0]]?.number} and {run.shown[pinned[1]]?.number}
              </p>
              <WhySimilar playground={playground} run={run} pair={pinned} />
            </>
          )}
          <h2 className="pt-4 text-12 font-normal text-fg-3">
            Closest pairs{found.pairs.some(({ score }) => score >= 0.98) && "; from 0.98 on nearly the same"}
          </h2>
          <table className="w-full text-12">
            <thead className="sr-only">
              <tr>
                <th scope="col">Cosine</th>
                <th scope="col">Rows</th>
              </tr>
            </thead>
            <tbody>
              {found.pairs.slice(0, 14).map(({ a, b, score }) => (
                <tr key={`${a} ${b}`} className="border-b border-line">
                  <td className="py-1 pr-3 tabular-nums">{score.toFixed(2)}</td>
                  <td className="max-w-0 w-full truncate text-fg-2">
                    {run.shown[a]?.number}, {run.shown[b]?.number}: {run.shown[a]?.text.slice(0, 60)} /{" "}
                    {run.shown[b]?.text.slice(0, 60)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}
