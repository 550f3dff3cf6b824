import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { colours } from "./palette.ts";
import type { Shown } from "./playground.ts";
import type { Points } from "./protocol.ts";
import { shapePaths } from "./shapes.ts";
import { useThemeTurn } from "./use-theme-turn.ts";

interface MapCanvasProps {
  points: Points;
  shown: readonly Shown[];
  groups: readonly string[];
  selected: number | null;
  /** rows truly nearest to the selected one: joined by dotted lines, however far apart the picture puts them */
  near: readonly number[];
  onSelect: (row: number | null) => void;
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Points on a canvas. Drag pans, the wheel and + − zoom, 0 fits; arrows go to the nearest point that way. */
export function MapCanvas({ points, shown, groups, selected, near, onSelect }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 600, height: 480 });
  const [moved, setMoved] = useState({ x: 0, y: 0, zoom: 1 });
  const [over, setOver] = useState<number | null>(null);
  const drag = useRef<{ x: number; y: number; far: boolean } | null>(null);
  // another theme renders anew, and every rendering draws
  useThemeTurn();
  const fit = fitted(points, size);
  const screen = (at: number): [number, number] => [
    (fit.x + (points.points[2 * at] ?? 0) * fit.scale - size.width / 2) * moved.zoom + size.width / 2 + moved.x,
    (fit.y - (points.points[2 * at + 1] ?? 0) * fit.scale - size.height / 2) * moved.zoom + size.height / 2 + moved.y,
  ];

  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = canvas.current;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      setMoved((before) => ({
        ...before,
        zoom: Math.max(0.5, Math.min(40, before.zoom * Math.exp(-event.deltaY / 500))),
      }));
    };
    element?.addEventListener("wheel", zoom, { passive: false });
    return () => element?.removeEventListener("wheel", zoom);
  }, []);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = devicePixelRatio;
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    context.scale(ratio, ratio);
    const data = colours(element, ["data-1", "data-2", "data-3", "data-4", "data-5", "data-6", "data-7", "data-8"]);
    const [ink = "", quiet = ""] = colours(element, ["fg-1", "fg-3"]);
    const shapes = shapePaths.map((path) => new Path2D(path));
    const small = points.rows.length > 2_000;
    points.rows.forEach((row, at) => {
      const [x, y] = screen(at);
      if (x < -9 || y < -9 || x > size.width + 9 || y > size.height + 9) return;
      const group = Math.max(0, groups.indexOf(shown[row]?.group ?? ""));
      context.fillStyle = data[group % 8] ?? ink;
      context.globalAlpha = selected === null || row === selected || near.includes(row) ? 1 : 0.62;
      if (small) return context.fillRect(x - 2, y - 2, 4, 4);
      context.setTransform(ratio, 0, 0, ratio, x * ratio, y * ratio);
      const shape = shapes[group % 8];
      if (shape) context.fill(shape, "evenodd");
      return context.setTransform(ratio, 0, 0, ratio, 0, 0);
    });
    context.globalAlpha = 1;
    const own = selected === null ? -1 : points.rows.indexOf(selected);
    if (own === -1) return;
    const [x, y] = screen(own);
    context.strokeStyle = quiet;
    context.setLineDash([2, 3]);
    for (const row of near) {
      const at = points.rows.indexOf(row);
      if (at === -1) continue;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(...screen(at));
      context.stroke();
    }
    context.setLineDash([]);
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 10, 0, 2 * Math.PI);
    context.stroke();
  });

  function hit(event: PointerEvent): number | null {
    const box = event.currentTarget.getBoundingClientRect();
    let [best, least]: [number | null, number] = [null, 12];
    points.rows.forEach((row, at) => {
      const [x, y] = screen(at);
      const far = Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top);
      if (far < least) [best, least] = [row, far];
    });
    return best;
  }
  function press(event: KeyboardEvent) {
    const way = arrows[event.key];
    if (event.key === "Escape") return (event.currentTarget as HTMLElement).blur();
    if (event.key === "+" || event.key === "-")
      return setMoved({ ...moved, zoom: moved.zoom * (event.key === "+" ? 1.25 : 0.8) });
    if (event.key === "0") return setMoved({ x: 0, y: 0, zoom: 1 });
    if (!way) return undefined;
    event.preventDefault();
    return onSelect(selected === null ? (points.rows[0] ?? null) : nextThatWay(points, selected, way));
  }
  const named = over ?? selected;
  return (
    <div className="relative min-h-100">
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it takes keys of its own
        role="application"
        tabIndex={0}
        aria-label={`Map of ${points.rows.length} rows. Arrows go to the nearest point that way, plus and minus zoom, 0 fits, Escape leaves. The list beside it has the neighbours.`}
        onKeyDown={press}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX - moved.x, y: event.clientY - moved.y, far: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (!drag.current) return setOver(hit(event));
          const [x, y] = [event.clientX - drag.current.x, event.clientY - drag.current.y];
          if (Math.hypot(x - moved.x, y - moved.y) > 3) drag.current.far = true;
          return drag.current.far ? setMoved({ ...moved, x, y }) : undefined;
        }}
        onPointerUp={(event) => {
          if (drag.current && !drag.current.far) onSelect(hit(event));
          drag.current = null;
        }}
        className="absolute inset-0 size-full touch-none -outline-offset-2"
      />
      <p
        aria-live="polite"
        className="pointer-events-none absolute bottom-2 left-6 max-w-[80%] truncate text-12 text-fg-2"
      >
        {named === null ? "Choose a point" : `Row ${shown[named]?.number}: ${shown[named]?.text.slice(0, 160)}`}
      </p>
    </div>
  );
}

function fitted({ points }: Points, { width, height }: { width: number; height: number }) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i] ?? 0);
    right = Math.max(right, points[i] ?? 0);
    low = Math.min(low, points[i + 1] ?? 0);
    high = Math.max(high, points[i + 1] ?? 0);
  }
  const scale = Math.min((width - 60) / (right - left || 1), (height - 60) / (high - low || 1));
  return { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 + ((low + high) / 2) * scale };
}

/** The closest point within 45 degrees of a direction; the same one where there is none. */
function nextThatWay({ rows, points }: Points, from: number, [dx, dy]: readonly [number, number]): number {
  const own = rows.indexOf(from);
  let [best, least] = [from, Infinity];
  rows.forEach((row, at) => {
    const [x, y] = [
      (points[2 * at] ?? 0) - (points[2 * own] ?? 0),
      (points[2 * at + 1] ?? 0) - (points[2 * own + 1] ?? 0),
    ];
    const along = x * dx + y * dy;
    const far = Math.hypot(x, y);
    if (along > 0 && along >= far * 0.7 && far < least) [best, least] = [row, far];
  });
  return best;
}
