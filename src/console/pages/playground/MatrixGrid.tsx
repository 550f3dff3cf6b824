import { useCallback, useState, type KeyboardEvent, type PointerEvent } from "react";
import { LeftEdge, TopEdge } from "./MatrixEdges.tsx";
import { MatrixPicture } from "./MatrixPicture.tsx";
import type { Shown } from "./playground.ts";
import type { MatrixResult } from "../../vectors/protocol.ts";
import { cosineText, type SimilarityScale } from "../../vectors/similarity-scale.ts";
import { useMatrixView, type Cell } from "./use-matrix-view.ts";
import type { Picture } from "./use-playground.ts";
import { RowFace } from "./RowFace.tsx";
import { watchSize } from "./watch-size.ts";

interface MatrixGridProps {
  found: MatrixResult;
  shown: readonly Shown[];
  scale: SimilarityScale;
  /** rows nearest to the question, the nearest first: marked at the edges */
  hits: readonly number[];
  /** the row that is framed: of the answers to the question, the one that was walked to */
  selected: number | null;
  dim: number | null;
  picture: Picture;
  onPin: (a: number, b: number) => void;
}

const arrows: Record<string, Cell> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
/** Texts appear next to cells of at least this many pixels; next to smaller ones, every nth row's number. */
const labelFrom = 12;
const textWidth = 120;
const numberWidth = 32;
const widest = 640;

/** The matrix as a picture with one cell that arrows move: Enter pins the pair, plus and minus enlarge. */
export function MatrixGrid({ found, shown, scale, hits, selected, dim, picture, onPin }: MatrixGridProps) {
  const size = found.rows.length;
  const framed = selected === null ? -1 : found.rows.indexOf(selected);
  const { cell, from, span, point, go, enlarge, showAll } = useMatrixView(size, framed);
  const [i, j] = cell;
  const [room, setRoom] = useState(600);
  const measured = useCallback(
    (frame: HTMLDivElement) => watchSize(frame, () => setRoom(Math.floor(frame.clientWidth))),
    [],
  );
  const texts = (room - textWidth) / span >= labelFrom;
  const labelWidth = texts ? textWidth : numberWidth;
  const side = Math.min(widest, room - labelWidth);
  const pixels = side / span;
  // so far apart that numbers do not touch: across as wide as the longest, down as high as a line
  const across = Math.ceil(Math.max(20, 7 * String(size).length + 6) / pixels);
  const down = texts ? 1 : Math.ceil(labelFrom / pixels);
  const ranks = new Map(hits.map((row, rank) => [found.rows.indexOf(row), rank + 1] as const));
  const edge = { span, pixels, marked: [...ranks.keys()] };

  const shownAt = (at: number) => shown[found.rows[at] ?? 0];
  const numberOf = (at: number) => shownAt(at)?.number ?? 0;
  function labelOf(at: number) {
    const row = shownAt(at);
    const height = Math.min(40, pixels - 2);
    return (
      <>
        {ranks.has(at) && <span className="text-accent">#{ranks.get(at)} </span>}
        {!texts && numberOf(at)}
        {texts && row?.image === undefined && row?.text.slice(0, 160)}
        {texts && row?.image !== undefined && (
          <span className="inline-flex items-center gap-1.5 align-middle">
            {row.number}
            <img src={row.image} alt="" style={{ height }} className="max-w-20 rounded-1 object-contain" />
          </span>
        )}
      </>
    );
  }
  const cosine = i === j ? "the same row" : cosineText(found.scores[i * size + j] ?? 0);
  const said = `row ${numberOf(i)} × row ${numberOf(j)}, ${cosine}`;
  const pin = () => onPin(found.rows[i] ?? 0, found.rows[j] ?? 0);
  function press(event: KeyboardEvent) {
    if (event.key === "Enter") return pin();
    if (event.key === "+" || event.key === "-") return enlarge(event.key === "+" ? 2 : 0.5);
    if (event.key === "0") return showAll();
    const step = arrows[event.key];
    if (!step) return undefined;
    event.preventDefault();
    return go([i + step[0], j + step[1]]);
  }
  function under(event: PointerEvent): Cell {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (share: number, start: number) => start + Math.max(0, Math.min(span - 1, Math.floor(share * span)));
    return [at((event.clientY - box.top) / box.height, from[0]), at((event.clientX - box.left) / box.width, from[1])];
  }
  return (
    <div ref={measured} className="min-w-0">
      <div className="grid" style={{ gridTemplateColumns: `${labelWidth}px minmax(0, 1fr)` }}>
        <span />
        <TopEdge {...edge} from={from[1]} step={across} current={j} labelOf={numberOf} />
        <LeftEdge {...edge} from={from[0]} step={down} current={i} labelOf={labelOf} />
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the region around it takes the keys */}
        <div
          role="grid"
          tabIndex={-1}
          aria-label="Similarities"
          aria-rowcount={size}
          aria-colcount={size}
          style={{ width: side, height: side }}
          className="relative overflow-hidden"
          onPointerMove={(event) => point(under(event))}
          onClick={pin}
        >
          <MatrixPicture {...{ found, scale, dim, from, span, side, picture }} />
          <Cross
            top={(i - from[0]) * pixels}
            left={(j - from[1]) * pixels}
            framed={framed >= from[0] && framed < from[0] + span ? (framed - from[0]) * pixels : null}
            pixels={pixels}
          />
          <div role="row" aria-rowindex={i + 1}>
            <div
              role="gridcell"
              aria-colindex={j + 1}
              aria-label={said}
              tabIndex={0}
              onKeyDown={press}
              className="absolute min-h-1 min-w-1 outline-2 -outline-offset-1 outline-fg-1 outline-solid"
              style={{ top: (i - from[0]) * pixels, left: (j - from[1]) * pixels, width: pixels, height: pixels }}
            />
          </div>
        </div>
      </div>
      <div className="flex max-w-190 gap-4 pt-3 text-12">
        <p aria-live="polite" className="shrink-0 tabular-nums">
          {said}
        </p>
        <p className="min-w-0 text-fg-2">
          {cell.map((at, side) => (
            <span key={side} className="flex min-w-0 items-center gap-2 pb-0.5">
              <RowFace shown={shownAt(at)} most={160} side="size-9" className="min-w-0 truncate" />
            </span>
          ))}
        </p>
        {size > 24 && (
          <p className="ml-auto shrink-0 text-fg-3 @max-[560px]/results:hidden">+ and − enlarge, 0 shows all</p>
        )}
      </div>
    </div>
  );
}

/** Lines through the chosen cell, and a frame around the row that was walked to. */
function Cross({ top, left, framed, pixels }: { top: number; left: number; framed: number | null; pixels: number }) {
  return (
    <>
      <span
        aria-hidden="true"
        style={{ top: top + pixels / 2 }}
        className="absolute inset-x-0 h-px bg-fg-3 opacity-50"
      />
      <span
        aria-hidden="true"
        style={{ left: left + pixels / 2 }}
        className="absolute inset-y-0 w-px bg-fg-3 opacity-50"
      />
      {framed !== null && (
        <span
          aria-hidden="true"
          style={{ top: framed, height: pixels }}
          className="pointer-events-none absolute inset-x-0 min-h-1 outline-2 -outline-offset-2 outline-accent outline-solid"
        />
      )}
    </>
  );
}
