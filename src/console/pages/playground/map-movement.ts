import { unmoved, type Moved } from "./map-positions.ts";

/** How far a map was dragged and enlarged, which changes with every frame of a drag. */
export interface Movement {
  moved: () => Moved;
  pan: (x: number, y: number) => void;
  /** zooms so that the point at a position (from the middle) stays there */
  enlarge: (by: number, x?: number, y?: number) => void;
  fit: () => void;
}

/**
 * @param onMoved draws again
 * @param onLevel the map is enlarged by another power of two
 */
export function makeMovement(onMoved: () => void, onLevel: (level: number) => void): Movement {
  let moved = unmoved;
  let level = 0;
  function move(next: Moved): void {
    moved = next;
    const now = Math.max(0, Math.floor(Math.log2(moved.zoom)));
    if (now !== level) onLevel(now);
    level = now;
    onMoved();
  }
  return {
    moved: () => moved,
    pan: (x, y) => move({ ...moved, x: moved.x + x, y: moved.y + y }),
    enlarge(by, x = 0, y = 0) {
      const zoom = Math.max(0.5, Math.min(40, moved.zoom * by));
      const grown = zoom / moved.zoom;
      move({ zoom, x: x - (x - moved.x) * grown, y: y - (y - moved.y) * grown });
    },
    fit: () => move(unmoved),
  };
}
