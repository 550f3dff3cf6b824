import { useLayoutEffect, useMemo, useState } from "react";
import { drawMatrix, matrixImage, matrixSvg, type MatrixScene } from "./matrix-drawing.ts";
import { colours, digits, scale as paletteOf } from "./palette.ts";
import type { Picture } from "./use-playground.ts";
import { useThemeTurn } from "./use-theme-turn.ts";

interface MatrixPictureProps extends Pick<MatrixScene, "found" | "scale" | "dim" | "from" | "span"> {
  /** in CSS pixels */
  side: number;
  picture: Picture;
}

/** The cells that are shown, on a canvas; another theme gets another canvas, which has its colors. */
export function MatrixPicture({ found, scale, dim, from, span, side, picture }: MatrixPictureProps) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const ratio = devicePixelRatio;
  const drawn = useMemo(() => {
    if (!canvas) return null;
    const palette = paletteOf(canvas);
    const [line = ""] = colours(canvas, ["fg-3"]);
    return { palette, line, image: matrixImage({ found, palette, scale, dim }) };
  }, [canvas, found, scale, dim]);
  // before the browser paints: a new size of the canvas has erased it
  useLayoutEffect(() => {
    const context = canvas?.getContext("2d");
    if (!context || !drawn) return undefined;
    const { palette, line, image } = drawn;
    drawMatrix(context, image, { from, span, line, side, ratio });
    const [ink = ""] = digits([line]);
    return picture.offer(() => matrixSvg({ found, palette, scale, line: ink, dim, from, span }));
  }, [canvas, drawn, found, scale, dim, from, span, side, ratio, picture]);
  return (
    <canvas
      key={useThemeTurn()}
      ref={setCanvas}
      aria-hidden="true"
      width={Math.floor(side * ratio)}
      height={Math.floor(side * ratio)}
      className="absolute inset-0 size-full"
    />
  );
}
