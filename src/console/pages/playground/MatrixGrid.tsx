import { useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { cx } from "../../ui/cx.ts";
import { drawMatrix, matrixImage, matrixSvg } from "./matrix-drawing.ts";
import { scale } from "./palette.ts";
import type { Shown } from "./playground.ts";
import type { MatrixResult } from "./protocol.ts";
import type { Picture } from "./use-playground.ts";
import { useThemeTurn } from "./use-theme-turn.ts";

interface MatrixGridProps {
  found: MatrixResult;
  shown: readonly Shown[];
  dim: number | null;
  picture: Picture;
  onPin: (a: number, b: number) => void;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
/** Texts stand beside cells of at least this many pixels, and every so many rows' numbers beside smaller ones. */
const labelFrom = 12;
const textWidth = 120;
const numberWidth = 32;
const widest = 640;

/** The matrix as a picture with one cell that arrows move: Enter pins the pair, plus and minus enlarge. */
export function MatrixGrid({ found, shown, dim, picture, onPin }: MatrixGridProps) {
  const size = found.rows.length;
  const [cell, setCell] = useState<readonly [number, number]>([0, 0]);
  const [view, setView] = useState({ from: [0, 0] as readonly [number, number], span: size });
  const [room, setRoom] = useState(600);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const turn = useThemeTurn();
  const span = Math.min(view.span, size);
  const from = useMemo(
    () => view.from.map((at) => Math.max(0, Math.min(size - span, at))) as [number, number],
    [view, size, span],
  );
  const [i, j] = [Math.min(cell[0], size - 1), Math.min(cell[1], size - 1)];
  const texts = (room - textWidth) / span >= labelFrom;
  const labelWidth = texts ? textWidth : numberWidth;
  const side = Math.min(widest, room - labelWidth);
  const pixels = side / span;
  // so far apart that numbers do not touch: across as wide as the longest, down as high as a line
  const across = Math.ceil(Math.max(20, 7 * String(size).length + 6) / pixels);
  const down = texts ? 1 : Math.ceil(labelFrom / pixels);

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setRoom(Math.floor(element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const image = useRef<OffscreenCanvas | null>(null);
  useEffect(() => {
    if (!canvas.current) return undefined;
    const palette = scale(canvas.current);
    image.current = matrixImage({ found, palette, dim, from: [0, 0], span: size });
    return picture.offer(() => matrixSvg({ found, palette, dim, from, span }));
  }, [found, dim, size, turn, picture, from, span]);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || !image.current) return;
    element.width = side * devicePixelRatio;
    element.height = element.width;
    drawMatrix(context, image.current, { from, span }, side, devicePixelRatio);
  }, [found, dim, turn, side, from, span]);

  const numberOf = (at: number) => shown[found.rows[at] ?? 0]?.number ?? 0;
  const textOf = (at: number) => shown[found.rows[at] ?? 0]?.text.slice(0, 160) ?? "";
  const said = `row ${numberOf(i)} × row ${numberOf(j)}, ${(found.scores[i * size + j] ?? 0).toFixed(2)}`;
  const pin = () => onPin(found.rows[i] ?? 0, found.rows[j] ?? 0);
  function enlarge(by: number) {
    const next = Math.max(Math.min(8, size), Math.min(size, Math.round(span / by)));
    setView({ span: next, from: [Math.round(i - next / 2), Math.round(j - next / 2)] });
  }
  function go(to: readonly [number, number]) {
    const next = to.map((at) => Math.max(0, Math.min(size - 1, at))) as [number, number];
    setCell(next);
    // the picture follows the cell out of what is shown
    const shift = next.map((at, axis) => Math.min(at, Math.max(from[axis] ?? 0, at - span + 1))) as [number, number];
    if (shift[0] !== from[0] || shift[1] !== from[1]) setView({ span, from: shift });
  }
  function press(event: KeyboardEvent) {
    if (event.key === "Enter") return pin();
    if (event.key === "+" || event.key === "-") return enlarge(event.key === "+" ? 2 : 0.5);
    if (event.key === "0") return setView({ span: size, from: [0, 0] });
    const step = arrows[event.key];
    if (!step) return undefined;
    event.preventDefault();
    return go([i + step[0], j + step[1]]);
  }
  function under(event: PointerEvent): [number, number] {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (share: number, start: number) => start + Math.max(0, Math.min(span - 1, Math.floor(share * span)));
    return [at((event.clientY - box.top) / box.height, from[0]), at((event.clientX - box.left) / box.width, from[1])];
  }
  const [top, left] = [(i - from[0]) * pixels, (j - from[1]) * pixels];
  const everyOf = (step: number) => Array.from({ length: Math.ceil(span / step) }, (_, index) => index * step);
  return (
    <div ref={frame} className="min-w-0">
      <div className="grid" style={{ gridTemplateColumns: `${labelWidth}px minmax(0, 1fr)` }}>
        <span />
        <div aria-hidden="true" className="relative h-5 text-11 text-fg-3 tabular-nums">
          {everyOf(across).map((at) => (
            <span
              key={at}
              style={{ left: (at + 0.5) * pixels }}
              className={cx("absolute -translate-x-1/2", from[1] + at === j && "font-semibold text-fg-1")}
            >
              {numberOf(from[1] + at)}
            </span>
          ))}
        </div>
        <div aria-hidden="true" className="relative text-11 text-fg-3 tabular-nums">
          {everyOf(down).map((at) => (
            <span
              key={at}
              style={{ top: (at + 0.5) * pixels }}
              className={cx(
                "absolute inset-x-0 -translate-y-1/2 truncate pr-2 text-right",
                from[0] + at === i && "font-semibold text-fg-1",
              )}
            >
              {texts ? textOf(from[0] + at) : numberOf(from[0] + at)}
            </span>
          ))}
        </div>
        <div
          role="grid"
          tabIndex={-1}
          aria-label="Similarities"
          aria-rowcount={size}
          aria-colcount={size}
          style={{ width: side, height: side }}
          className="relative overflow-hidden"
          onPointerMove={(event) => setCell(under(event))}
          onClick={pin}
        >
          <canvas ref={canvas} aria-hidden="true" className="absolute inset-0 size-full" />
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
          <div role="row" aria-rowindex={i + 1}>
            <div
              role="gridcell"
              aria-colindex={j + 1}
              aria-label={said}
              tabIndex={0}
              onKeyDown={press}
              className="absolute min-h-1 min-w-1 outline-2 -outline-offset-1 outline-fg-1 outline-solid"
              style={{ top, left, width: pixels, height: pixels }}
            />
          </div>
        </div>
      </div>
      <div className="flex max-w-190 gap-4 pt-3 text-12">
        <p aria-live="polite" className="shrink-0 tabular-nums">
          {said}
        </p>
        <p className="min-w-0 text-fg-2">
          <span className="block truncate">{textOf(i)}</span>
          <span className="block truncate">{textOf(j)}</span>
        </p>
        {size > 24 && <p className="ml-auto shrink-0 text-fg-3 max-md:hidden">+ and − enlarge, 0 shows all</p>}
      </div>
    </div>
  );
}
