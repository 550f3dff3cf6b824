import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { imageSize } from "image-size";
import type { Pixels } from "./visual-features.ts";

/** What is wrong with an image, as the end of a sentence: "… is damaged". */
export class BadImage extends Error {
  override readonly name = "BadImage";
}

/** Decoded, each pixel takes four bytes, twice for a moment. */
const mostPixels = 16_000_000;

type Decode = (bytes: ArrayBuffer) => Promise<Pixels>;

/** Squoosh's decoders, compiled to WebAssembly: the same pixels on every machine, in a sandbox of their own. */
const decoders: Readonly<Record<string, () => Promise<Decode>>> = {
  async png() {
    const { decode, init } = await import("@jsquash/png/decode.js");
    await init(await compiled("@jsquash/png/codec/pkg/squoosh_png_bg.wasm"));
    return decode;
  },
  async jpg() {
    const { default: decode, init } = await import("@jsquash/jpeg/decode.js");
    await (init as Init)(await compiled("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"), silent);
    return (bytes) => decode(bytes, { preserveOrientation: true });
  },
  async webp() {
    const { default: decode, init } = await import("@jsquash/webp/decode.js");
    await (init as Init)(await compiled("@jsquash/webp/codec/dec/webp_dec.wasm"), silent);
    return decode;
  },
};

/** A compiled module; the types of Node.js do not know it. */
type Module = object;
type Init = (module: Module, options: object) => Promise<void>;
const silent = { print: () => {}, printErr: () => {} };
const ready = new Map<string, Promise<Decode>>();

/**
 * The pixels of a PNG, JPEG or WebP image. Runs in a thread of its own: see `image-features.ts`.
 * @throws BadImage
 */
export async function decodeImage(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels> {
  const { type, width, height } = headOf(bytes);
  const load = decoders[type];
  if (load === undefined) throw new BadImage(`is an image of type ${type}: PNG, JPEG and WebP are taken`);
  if (width * height > mostPixels) {
    throw new BadImage(`has ${width} × ${height} pixels: at most ${mostPixels / 1_000_000} million are taken`);
  }
  Object.assign(globalThis, { ImageData: Decoded });
  const decode = ready.get(type) ?? load();
  ready.set(type, decode);
  try {
    return await (
      await decode
    )(bytes.slice().buffer);
  } catch {
    throw new BadImage("could not be decoded: it is damaged, moves, or is no RGB image");
  }
}

function headOf(bytes: Uint8Array): { type: string; width: number; height: number } {
  try {
    const { type, width, height } = imageSize(bytes);
    if (type !== undefined && width > 0 && height > 0) return { type, width, height };
  } catch {
    // Reported below, like an unknown type.
  }
  throw new BadImage("is no image that is known here: PNG, JPEG and WebP are taken");
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<Module> } };

async function compiled(file: string): Promise<Module> {
  return await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(file)));
}

/** The decoders' output in the browsers' form; a copy, since they free their memory. */
class Decoded implements Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data.slice();
    this.width = width;
    this.height = height;
  }
}
