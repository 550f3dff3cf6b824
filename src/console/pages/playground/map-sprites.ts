import { useEffect, useState } from "react";
import type { Shown } from "./playground.ts";

/** A row's picture, ready to be drawn many times a second. */
export interface Sprite {
  image: CanvasImageSource;
  /** as shares of the longer side, which is 1 */
  width: number;
  height: number;
  /** the picture's own bytes */
  url: string;
}

/** From this many rows on, pictures would cover each other and hold up each frame. */
const mostSprites = 400;
const smallest = 28;
/** Pictures grow as one comes nearer, to twice their size. */
export const spriteSide = (zoom: number): number => smallest * Math.max(1, Math.min(2, Math.sqrt(zoom)));

/** The pictures of rows in their order, once all are there; null where no row has one, or too many have. */
export function useSprites(shown: readonly Shown[]): readonly (Sprite | null)[] | null {
  const [made, setMade] = useState<{ of: readonly Shown[]; sprites: (Sprite | null)[] } | null>(null);
  useEffect(() => {
    const wanted = shown.length <= mostSprites && shown.some(({ image }) => image !== undefined);
    if (!wanted) return undefined;
    let over = false;
    void Promise.all(shown.map(({ image }) => load(image))).then((sprites) => {
      if (!over) setMade({ of: shown, sprites });
    });
    return () => {
      over = true;
    };
  }, [shown]);
  return made?.of === shown ? made.sprites : null;
}

async function load(url: string | undefined): Promise<Sprite | null> {
  if (url === undefined) return null;
  const element = new Image();
  element.src = url;
  try {
    await element.decode();
  } catch {
    return null;
  }
  const longer = Math.max(element.naturalWidth, element.naturalHeight);
  const [width, height] = [element.naturalWidth / longer, element.naturalHeight / longer];
  const scale = 2 * smallest * devicePixelRatio;
  const image = await createImageBitmap(element, {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: "medium",
  });
  return { image, width, height, url };
}
