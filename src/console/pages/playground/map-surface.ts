import { pointOf } from "../../vectors/plane.ts";
import type { Points } from "../../vectors/protocol.ts";
import { drawMap, titleFont, type MapScene } from "./map-drawing.ts";
import { resolved, type Paint } from "./map-paint.ts";
import { makeMovement } from "./map-movement.ts";
import { nextThatWay, positionsOf, pointAt, pointsWithin } from "./map-positions.ts";
import { spriteSide } from "./map-sprites.ts";
import { watchPinch } from "./map-gestures.ts";
import { mapSvg } from "./map-svg.ts";
import { placeTitles, type PlacedTitle, type Title } from "./map-titles.ts";
import { digits } from "./palette.ts";

/** What the map shows; where each point lies follows from it, and from how far the map was dragged and enlarged. */
export interface MapContent extends Pick<
  MapScene,
  "width" | "height" | "selected" | "near" | "sprites" | "hits" | "picked" | "numberOf" | "textOf"
> {
  points: Points;
  /** whether the picture's axes mean something, as those of principal components do */
  axes: boolean;
  paint: Paint;
  /** what is written among the points, the most important first */
  titles: readonly Title[];
  pointOfRow: ReadonlyMap<number, number>;
  /** changes with the theme */
  turn: number;
  /** moved along with the point that it tells of; -1: none */
  card: HTMLElement | null;
  carded: number;
  /** says that the map is enlarged by another power of two */
  onLevel: (level: number) => void;
}

type Way = readonly [number, number];

/** The map on its canvas. What changes with every frame of a drag is kept here, out of React. */
export function makeMapSurface() {
  let canvas: HTMLCanvasElement | null = null;
  let content: MapContent | null = null;
  let scene: MapScene | null = null;
  let colours: { paint: Paint; turn: number; found: MapScene["colours"] } | null = null;
  let outline: readonly number[] = [];
  let frame = 0;

  const { moved, pan, enlarge, fit } = makeMovement(redraw, (level) => content?.onLevel(level));

  /** asking for a computed color makes the browser work out the page's styles: not at every point that is hovered */
  function coloursOf(element: HTMLElement, { paint, turn }: MapContent) {
    if (colours?.paint !== paint || colours.turn !== turn) colours = { paint, turn, found: resolved(element, paint) };
    return colours.found;
  }
  function arrange(): void {
    if (!canvas || !content) return;
    const placed = positionsOf(content.points, content, moved());
    const colours = coloursOf(canvas, content);
    const side = content.sprites ? spriteSide(moved().zoom) : 0;
    scene = {
      ...content,
      positions: placed.positions,
      zero: content.axes ? placed.zero : null,
      rows: content.points.rows,
      ratio: devicePixelRatio,
      colours,
      side,
      titles: titlesOn(canvas.getContext("2d"), content, { positions: placed.positions, side, family: colours.family }),
      outline,
    };
  }
  function draw(): void {
    arrange();
    const context = canvas?.getContext("2d");
    if (!context || !content || !scene) return;
    drawMap(context, scene);
    if (content.card) moveCard(content.card, scene, content.carded);
  }
  function redraw(): void {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  }
  function onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { width = 0, height = 0 } = content ?? {};
    enlarge(Math.exp(-event.deltaY / 500), event.offsetX - width / 2, event.offsetY - height / 2);
  }
  return {
    /** Takes a canvas and its wheel; returns what lets go of them. */
    attach(element: HTMLCanvasElement): () => void {
      canvas = element;
      element.addEventListener("wheel", onWheel, { passive: false });
      const unwatch = watchPinch(element, { pan, enlarge });
      return () => {
        unwatch();
        element.removeEventListener("wheel", onWheel);
        canvas = null;
      };
    },
    show(next: MapContent): void {
      content = next;
      arrange();
      redraw();
    },
    enlarge,
    pan,
    fit,
    /** the row of the point at a position, or null */
    rowAt([x, y]: Way): number | null {
      if (!scene) return null;
      return scene.rows[pointAt(scene.positions, x, y, Math.max(12, scene.side / 2))] ?? null;
    },
    /** the row of the nearest point that way from the selected one; the first where none is */
    rowThatWay(way: Way): number | null {
      if (!scene) return null;
      const { rows, positions, selected } = scene;
      return rows[selected === -1 ? 0 : nextThatWay(positions, selected, way)] ?? null;
    },
    outlined: () => outline.length > 0,
    /** Begins a line around points, or does away with it. */
    outline(start: Way | null): void {
      outline = start ?? [];
      if (!start) redraw();
    },
    extend(to: Way): void {
      outline = [...outline, ...to];
      redraw();
    },
    /** Draws a frame that begins at the selected point, or in the middle, and grows that way. */
    growFrame([dx, dy]: Way, step: number): void {
      if (!scene) return;
      const { width, height, selected, positions } = scene;
      const [x, y] = selected === -1 ? [width / 2, height / 2] : pointOf(positions, selected);
      const [left = x - 16, top = y - 16, , , right = x + 16, bottom = y + 16] = outline;
      const [r, b] = [right + dx * step, bottom + dy * step];
      outline = [left, top, r, top, r, b, left, b];
      redraw();
    },
    /** The rows within the line, which is gone then; null where there are none. */
    take(): number[] | null {
      const { positions = new Float32Array(), rows } = scene ?? {};
      const found = pointsWithin(positions, outline).map((at) => rows?.[at] ?? 0);
      outline = [];
      return found.length > 0 ? found : null;
    },
    svg: () => (scene ? asFile(scene) : ""),
  };
}

interface Drawn {
  positions: Float32Array;
  side: number;
  family: string;
}

function titlesOn(
  context: CanvasRenderingContext2D | null,
  { titles, pointOfRow, width, height }: MapContent,
  { positions, side, family }: Drawn,
): PlacedTitle[] {
  if (!context) return [];
  context.font = titleFont(family);
  return placeTitles(titles, {
    positions,
    width,
    height,
    pointOfRow: (row) => pointOfRow.get(row),
    measure: (text) => context.measureText(text).width,
    away: side / 2 + 9,
  });
}

function moveCard(card: HTMLElement, { positions, width, side }: MapScene, named: number): void {
  card.hidden = named === -1;
  if (named === -1) return;
  const [left, top] = pointOf(positions, named);
  const x = Math.max(8, Math.min(width - card.offsetWidth - 8, left - 12));
  const away = 18 + side / 2;
  const above = top - card.offsetHeight - away;
  card.style.transform = `translate(${x}px, ${above < 4 ? top + away : above}px)`;
}

function asFile(scene: MapScene): string {
  const { points, ink, ground, line } = scene.colours;
  const [first = "", second = "", third = "", ...inks] = digits([ink, ground, line, ...points]);
  return mapSvg(scene, { ink: first, ground: second, line: third, points: inks });
}
