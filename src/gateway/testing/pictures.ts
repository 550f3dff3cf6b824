import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

type Colour = readonly [red: number, green: number, blue: number, opacity?: number];
type Kind = "png" | "jpeg" | "webp";
type Encoder = { default(image: object): Promise<ArrayBuffer>; init(module: object): Promise<unknown> };

const files = {
  png: "@jsquash/png/codec/pkg/squoosh_png_bg.wasm",
  jpeg: "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm",
  webp: "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
} as const;

const load: Record<Kind, () => Promise<Encoder>> = {
  png: async () => await import("@jsquash/png/encode.js"),
  jpeg: async () => await import("@jsquash/jpeg/encode.js"),
  webp: async () => await import("@jsquash/webp/encode.js"),
};

const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } };
const ready = new Map<Kind, Promise<Encoder>>();

async function encoder(kind: Kind): Promise<Encoder> {
  const made = await load[kind]();
  await made.init(await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(files[kind]))));
  return made;
}

/** Paints a picture, a pixel at a time, and encodes it. */
export async function makePicture(
  kind: Kind,
  width: number,
  height: number,
  paint: (x: number, y: number) => Colour,
): Promise<Buffer> {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, opacity = 255] = paint(x, y);
      data.set([red, green, blue, opacity], (y * width + x) * 4);
    }
  }
  const made = ready.get(kind) ?? encoder(kind);
  ready.set(kind, made);
  return Buffer.from(await (await made).default({ width, height, data, colorSpace: "srgb" }));
}

/** A picture as callers send it. */
export function dataUrl(kind: Kind, bytes: Buffer): string {
  return `data:image/${kind};base64,${bytes.toString("base64")}`;
}
