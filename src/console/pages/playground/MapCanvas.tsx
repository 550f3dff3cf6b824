import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { drawMap } from "./map-drawing.ts";
import type { MapScene } from "./map-drawing.ts";
import { resolved } from "./map-paint.ts";
import type { Paint } from "./map-paint.ts";
import { digits } from "./palette.ts";
import { nextThatWay, placeOf, placesOf, pointAt, pointsWithin, unmoved } from "./map-places.ts";
import { mapSvg } from "./map-svg.ts";
import { MapCard } from "./MapCard.tsx";
import type { Shown } from "./playground.ts";
import type { Points } from "./protocol.ts";
import { useThemeTurn } from "./use-theme-turn.ts";
import type { Picture } from "./use-playground.ts";

interface MapCanvasProps {
  points: Points;
  shown: readonly Shown[];
  paint: Paint;
  picture: Picture;
  selected: number | null;
  /** rows truly nearest to the selected one: joined by dotted lines, however far apart the picture puts them */
  near: readonly number[];
  picked: readonly number[] | null;
  /** dragging draws a line around points, and arrows draw a frame */
  picking: boolean;
  onSelect: (row: number | null) => void;
  onPick: (rows: number[] | null) => void;
  /** Enter on a point */
  onOpen: () => void;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Points on a canvas. Drag pans, the wheel and + − zoom, 0 fits; arrows go to the nearest point that way. */
export function MapCanvas(props: MapCanvasProps) {
  const { points, shown, paint, picture, selected, near, picked, picking, onSelect, onPick, onOpen } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 600, height: 480 });
  const [over, setOver] = useState<number | null>(null);
  // another theme renders anew, and every rendering draws
  useThemeTurn();
  // what changes with every frame of a drag stays out of React
  const moved = useRef(unmoved);
  const outline = useRef<number[]>([]);
  const scene = useRef<MapScene | null>(null);
  const frame = useRef(0);
  const drag = useRef<{ x: number; y: number; far: boolean } | null>(null);
  const pointOf = useRef(new Map<number, number>());
  const named = over ?? selected;

  function redraw() {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const context = canvas.current?.getContext("2d");
      if (!context || !scene.current) return;
      const { places, zero } = placesOf(points, size, moved.current);
      scene.current = { ...scene.current, places, zero, outline: outline.current };
      drawMap(context, scene.current);
      const at = named === null ? undefined : pointOf.current.get(named);
      if (!card.current) return;
      card.current.hidden = at === undefined;
      if (at === undefined) return;
      const [left, top] = placeOf(places, at);
      const x = Math.max(8, Math.min(size.width - card.current.offsetWidth - 8, left - 12));
      const above = top - card.current.offsetHeight - 18;
      card.current.style.transform = `translate(${x}px, ${above < 4 ? top + 18 : above}px)`;
    });
  }

  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    pointOf.current = new Map(Array.from(points.rows, (row, at) => [row, at] as const));
  }, [points]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    element.width = size.width * devicePixelRatio;
    element.height = size.height * devicePixelRatio;
  }, [size]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const place = (row: number) => pointOf.current.get(row) ?? -1;
    scene.current = {
      ...size,
      ...placesOf(points, size, moved.current),
      ratio: devicePixelRatio,
      rows: points.rows,
      paint,
      colours: resolved(element, paint),
      selected: selected === null ? -1 : place(selected),
      near: near.map(place).filter((at) => at !== -1),
      picked: picked && new Set(picked.map(place)),
      numberOf: (row) => shown[row]?.number ?? 0,
      outline: outline.current,
    };
    redraw();
  });
  useEffect(() => picture.offer(() => (scene.current ? asFile(scene.current) : "")), [picture]);
  useEffect(() => {
    const element = canvas.current;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      enlarge(Math.exp(-event.deltaY / 500), event.offsetX - size.width / 2, event.offsetY - size.height / 2);
    };
    element?.addEventListener("wheel", zoom, { passive: false });
    return () => element?.removeEventListener("wheel", zoom);
  });

  /** Enlarges so that what stands at a place (from the middle) stays there. */
  function enlarge(by: number, x = 0, y = 0) {
    const before = moved.current;
    const zoom = Math.max(0.5, Math.min(40, before.zoom * by));
    const grown = zoom / before.zoom;
    moved.current = { zoom, x: x - (x - before.x) * grown, y: y - (y - before.y) * grown };
    redraw();
  }
  function take() {
    const places = scene.current?.places ?? new Float32Array();
    const rows = pointsWithin(places, outline.current).map((at) => points.rows[at] ?? 0);
    outline.current = [];
    onPick(rows.length > 0 ? rows : null);
  }
  /** Arrows draw a frame that begins at the selected point, or in the middle. */
  function frameBy([dx, dy]: readonly [number, number], step: number) {
    const own = scene.current && scene.current.selected !== -1 ? scene.current : null;
    const [x, y] = own ? placeOf(own.places, own.selected) : [size.width / 2, size.height / 2];
    const [left = x - 16, top = y - 16, , , right = x + 16, bottom = y + 16] = outline.current;
    const [r, b] = [right + dx * step, bottom + dy * step];
    outline.current = [left, top, r, top, r, b, left, b];
    redraw();
  }
  function press(event: KeyboardEvent) {
    const way = arrows[event.key];
    if (event.key === "Escape") {
      if (outline.current.length === 0) return leave(event.currentTarget);
      outline.current = [];
      return redraw();
    }
    if (event.key === "+" || event.key === "-") return enlarge(event.key === "+" ? 1.25 : 0.8);
    if (event.key === "0") {
      moved.current = unmoved;
      return redraw();
    }
    if (event.key === "Enter") return picking ? take() : onOpen();
    if (!way) return undefined;
    event.preventDefault();
    if (picking) return frameBy(way, event.shiftKey ? 80 : 20);
    const places = scene.current?.places ?? new Float32Array();
    const own = selected === null ? undefined : pointOf.current.get(selected);
    return onSelect(points.rows[own === undefined ? 0 : nextThatWay(places, own, way)] ?? null);
  }
  function pointer(event: PointerEvent): [number, number] {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  const hit = (event: PointerEvent) =>
    points.rows[pointAt(scene.current?.places ?? new Float32Array(), ...pointer(event))] ?? null;

  return (
    <div className="relative min-h-100 overflow-hidden">
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it takes keys of its own
        role="application"
        tabIndex={0}
        aria-label={`Map of ${points.rows.length} rows. Arrows go to the nearest point that way, Enter goes to its neighbours, plus and minus zoom, 0 fits, Escape leaves. The list beside it has the neighbours.`}
        onKeyDown={press}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, far: false };
          if (picking) outline.current = pointer(event);
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from) return setOver(hit(event));
          const [x, y] = [event.clientX - from.x, event.clientY - from.y];
          if (!from.far && Math.hypot(x, y) < 4) return undefined;
          drag.current = { x: event.clientX, y: event.clientY, far: true };
          if (picking) outline.current = [...outline.current, ...pointer(event)];
          else moved.current = { ...moved.current, x: moved.current.x + x, y: moved.current.y + y };
          return redraw();
        }}
        onPointerUp={(event) => {
          if (drag.current?.far === true && picking) take();
          if (drag.current?.far === false) {
            outline.current = [];
            onSelect(hit(event));
          }
          drag.current = null;
        }}
        onPointerLeave={() => setOver(null)}
        className="absolute inset-0 size-full touch-none -outline-offset-2"
      />
      <MapCard ref={card} shown={named === null ? undefined : shown[named]} />
    </div>
  );
}

/** Back to the tab of this view, from where Tab goes on: a focus that is only dropped would begin at the page's top. */
function leave(element: Element): void {
  const tab = element.closest("[role=tabpanel]")?.getAttribute("aria-labelledby");
  document.getElementById(tab ?? "")?.focus();
}

function asFile(scene: MapScene): string {
  const { points, ink, ground, line } = scene.colours;
  const [first = "", second = "", third = "", ...inks] = digits([ink, ground, line, ...points]);
  return mapSvg(scene, { ink: first, ground: second, line: third, points: inks });
}
