import { useCallback, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { cx } from "../../ui/cx.ts";
import type { Paint } from "./map-paint.ts";
import { useSprites } from "./map-sprites.ts";
import { makeMapSurface } from "./map-surface.ts";
import type { Title } from "./map-titles.ts";
import { MapCard } from "./MapCard.tsx";
import { ZoomButtons } from "./ZoomButtons.tsx";
import type { Shown } from "./playground.ts";
import type { Points } from "../../vectors/protocol.ts";
import { useThemeTurn } from "./use-theme-turn.ts";
import type { Picture } from "./use-playground.ts";
import { watchSize } from "./watch-size.ts";

interface MapCanvasProps {
  points: Points;
  axes: boolean;
  shown: readonly Shown[];
  paint: Paint;
  titles: readonly Title[];
  picture: Picture;
  selected: number | null;
  /** rows truly nearest to the selected one: joined by dotted lines, however far apart the picture puts them */
  near: readonly number[];
  /** rows nearest to the question, the nearest first, with their cosines */
  hits: readonly { row: number; score: number }[];
  picked: readonly number[] | null;
  /** dragging draws a line around points, and arrows draw a frame */
  picking: boolean;
  onSelect: (row: number | null) => void;
  onPick: (rows: number[] | null) => void;
  /** Enter on a point */
  onOpen: () => void;
  onLevel: (level: number) => void;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Points on a canvas. Drag pans, the wheel and + − zoom, 0 fits; arrows go to the nearest point that way. */
export function MapCanvas(props: MapCanvasProps) {
  const { points, axes, shown, paint, titles, picture, selected, near, hits, picked, picking } = props;
  const { onSelect, onPick, onOpen, onLevel } = props;
  const [surface] = useState(makeMapSurface);
  const card = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; far: boolean } | null>(null);
  const [size, setSize] = useState({ width: 600, height: 480 });
  const [over, setOver] = useState<number | null>(null);
  const attached = useCallback(
    (canvas: HTMLCanvasElement) => {
      const ends = [
        surface.attach(canvas),
        watchSize(canvas, () => setSize({ width: canvas.clientWidth, height: canvas.clientHeight })),
        picture.offer(surface.svg),
      ];
      return () => ends.forEach((end) => end());
    },
    [surface, picture],
  );
  // a theme change re-renders, and every render draws
  const turn = useThemeTurn();
  const sprites = useSprites(shown);
  const pointOfRow = useMemo(() => new Map(Array.from(points.rows, (row, at) => [row, at] as const)), [points]);
  const named = over ?? selected;
  // before the browser paints: a new size of the canvas has erased it
  useLayoutEffect(() => {
    const point = (row: number | null) => (row === null ? -1 : (pointOfRow.get(row) ?? -1));
    surface.show({
      ...size,
      points,
      axes,
      paint,
      titles,
      pointOfRow,
      turn,
      sprites,
      card: card.current,
      carded: point(named),
      selected: point(selected),
      near: near.map(point).filter((at) => at !== -1),
      hits: hits.map(({ row, score }) => ({ at: point(row), score })).filter(({ at }) => at !== -1),
      picked: picked && new Set(picked.map(point)),
      numberOf: (row) => shown[row]?.number ?? 0,
      // a picture is drawn in place of its point
      textOf: (row) => (sprites?.[row] ? "" : (shown[row]?.text ?? "")),
      onLevel,
    });
  });

  function press(event: KeyboardEvent) {
    const way = arrows[event.key];
    if (event.key === "Escape") return surface.outlined() ? surface.outline(null) : leave(event.currentTarget);
    if (event.key === "+" || event.key === "-") return surface.enlarge(event.key === "+" ? 1.25 : 0.8);
    if (event.key === "0") return surface.fit();
    if (event.key === "Enter") return picking ? onPick(surface.take()) : onOpen();
    if (!way) return undefined;
    event.preventDefault();
    return picking ? surface.growFrame(way, event.shiftKey ? 80 : 20) : onSelect(surface.rowThatWay(way));
  }
  function move(event: PointerEvent) {
    const from = drag.current;
    // one finger scrolls the page, two are watched apart
    if (event.pointerType === "touch" && !picking) return undefined;
    if (!from) return setOver(surface.rowAt(positionOf(event)));
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.far && Math.hypot(x, y) < 4) return undefined;
    drag.current = { x: event.clientX, y: event.clientY, far: true };
    return picking ? surface.extend(positionOf(event)) : surface.pan(x, y);
  }
  return (
    <div className="relative min-h-0 grow overflow-hidden">
      <canvas
        ref={attached}
        width={Math.floor(size.width * devicePixelRatio)}
        height={Math.floor(size.height * devicePixelRatio)}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it takes keys of its own
        role="application"
        tabIndex={0}
        aria-label={`Map of ${points.rows.length} rows. Arrows go to the nearest point that way, Enter goes to its neighbors, plus and minus zoom, 0 fits, Escape leaves. The list after it has the neighbors.`}
        onKeyDown={press}
        onPointerDown={(event) => {
          // of two fingers neither chooses a point
          if (!event.isPrimary) return void (drag.current = null);
          drag.current = { x: event.clientX, y: event.clientY, far: false };
          if (picking) surface.outline(positionOf(event));
          event.currentTarget.setPointerCapture(event.pointerId);
          return undefined;
        }}
        onPointerMove={move}
        onPointerUp={(event) => {
          if (drag.current?.far === true && picking) onPick(surface.take());
          if (drag.current?.far === false) {
            surface.outline(null);
            onSelect(surface.rowAt(positionOf(event)));
          }
          drag.current = null;
        }}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onPointerLeave={() => setOver(null)}
        className={cx(
          "absolute inset-0 size-full -outline-offset-2",
          picking ? "touch-none" : "[touch-action:pan-x_pan-y]",
        )}
      />
      <ZoomButtons onEnlarge={surface.enlarge} onFit={surface.fit} />
      <MapCard ref={card} shown={named === null ? undefined : shown[named]} />
    </div>
  );
}

/** Where the pointer is on the canvas. */
function positionOf(event: PointerEvent): [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Back to the tab of this view, from where Tab goes on: a focus that is only dropped would begin at the page's top. */
function leave(element: Element): void {
  const tab = element.closest("[role=tabpanel]")?.getAttribute("aria-labelledby");
  document.getElementById(tab ?? "")?.focus();
}
