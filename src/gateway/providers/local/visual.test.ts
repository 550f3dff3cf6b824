import { describe, expect, it } from "vitest";
import { makePicture } from "../../testing/pictures.ts";
import { BadImage, decodeImage } from "./decode-image.ts";
import { colourLength, edgeLength, featuresOf } from "./visual-features.ts";
import { extractFeatures } from "./image-features.ts";
import { embedSeen, visual } from "./visual.ts";

type Vector = Float32Array | Float64Array;
const dot = (a: Vector, b: Vector) => Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
const red = () => [220, 30, 30] as const;
const blue = () => [30, 30, 220] as const;
/** Upright stripes, or lying ones. */
const stripes = (along: "x" | "y") => (x: number, y: number) =>
  Math.floor((along === "x" ? x : y) / 8) % 2 === 0 ? ([0, 0, 0] as const) : ([255, 255, 255] as const);
const text = (words: string) => embedSeen([{ type: "text", text: words }], []);
const image = (features: Float64Array) => embedSeen([{ type: "image_url", image_url: { url: "data:," } }], [features]);
const bytesOf = (buffer: Buffer) => Uint8Array.from(buffer);

describe("the visual features of an image", () => {
  it("of one colour is that colour's bin alone, and has no edges", () => {
    // sRGB black: OKLab 0, 0, 0. Its lightness lies below the first bin's centre (1/8), so the first bin has all of it;
    // a and b lie in the middle of six bins, between the third and the fourth: four bins, a quarter of the samples each.
    const black = featuresOf({
      width: 2,
      height: 2,
      data: new Uint8Array([0, 0, 0, 255].flatMap((v) => [v, v, v, v])),
    });
    const pixels = new Uint8Array(16).map((_, at) => (at % 4 === 3 ? 255 : 0));
    const features = featuresOf({ width: 2, height: 2, data: pixels });
    const at = (l: number, a: number, b: number) => features[(l * 6 + a) * 6 + b] ?? 0;
    for (const [a, b] of [
      [2, 2],
      [2, 3],
      [3, 2],
      [3, 3],
    ] as const)
      expect(at(0, a, b)).toBeCloseTo(0.5, 6);
    expect(features).toHaveLength(colourLength + edgeLength);
    expect(Array.from(features.subarray(colourLength)).every((value) => value === 0)).toBe(true);
    expect(dot(black, features)).toBeLessThan(1);
  });

  it("is white where the image is transparent", async () => {
    const clear = featuresOf({ width: 1, height: 1, data: new Uint8Array([10, 20, 30, 0]) });
    const white = featuresOf({ width: 1, height: 1, data: new Uint8Array([255, 255, 255, 255]) });
    expect(dot(clear, white)).toBeCloseTo(1, 10);
  });

  it("hardly depends on size and format", async () => {
    const paint = (size: number) => (x: number, y: number) =>
      x + y < size ? ([200, 40, 40] as const) : ([40, 60, 200] as const);
    const features: Float64Array[] = [];
    for (const [kind, size] of [
      ["png", 64],
      ["png", 300],
      ["jpeg", 200],
      ["webp", 128],
    ] as const) {
      features.push(await extractFeatures(bytesOf(await makePicture(kind, size, size, paint(size)))));
    }
    for (const each of features) expect(dot(features[0] ?? each, each)).toBeGreaterThan(0.9);
  });

  it("tells colours apart, and which way edges run", async () => {
    const paintedFeatures = async (paint: Parameters<typeof makePicture>[3]) =>
      await extractFeatures(bytesOf(await makePicture("png", 64, 64, paint)));
    expect(dot(await paintedFeatures(red), await paintedFeatures(blue))).toBeLessThan(0.2);
    expect(dot(await paintedFeatures(stripes("x")), await paintedFeatures(stripes("y")))).toBeLessThan(0.8);
  });

  it("turns a JPEG as its EXIF says", async () => {
    const half = (x: number) => (x < 32 ? red() : blue());
    const plain = await makePicture("jpeg", 64, 64, half);
    // An APP1 segment behind the first marker: TIFF, one entry, orientation 6 (turn a quarter to the right).
    const exif = Buffer.from("ffe100224578696600004d4d002a00000008000101120003000000010006000000000000", "hex");
    const turned = Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]);
    const { data, width } = await decodeImage(bytesOf(turned));
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
    expect(at(32, 4)[0]).toBeGreaterThan(150);
    expect(at(32, 60)[2]).toBeGreaterThan(150);
  });
});

describe("a bad image", () => {
  it.each([
    ["nothing", Buffer.alloc(0), /no image that is known/],
    ["text", Buffer.from("hello"), /no image that is known/],
    ["a GIF", Buffer.from("474946383961010001000000002c000000000100010000", "hex"), /type gif/],
  ])("%s is told", async (_, bytes, message) => {
    await expect(extractFeatures(bytesOf(bytes))).rejects.toThrow(message);
  });

  it("is told when it breaks off, and the next one is looked at all the same", async () => {
    for (const kind of ["png", "jpeg", "webp"] as const) {
      const whole = await makePicture(kind, 64, 64, (x, y) => [x * 4, y * 4, (x * y) % 256]);
      await expect(extractFeatures(bytesOf(whole.subarray(0, 60)))).rejects.toThrow(BadImage);
      expect(await extractFeatures(bytesOf(whole))).toHaveLength(colourLength + edgeLength);
    }
  });

  it("is refused by its head before it is decoded, when it has too many pixels", async () => {
    const whole = await makePicture("png", 8, 8, red);
    whole.writeUInt32BE(100_000, 16);
    await expect(extractFeatures(bytesOf(whole))).rejects.toThrow(/100000 × 8 pixels|could not be decoded/);
    whole.writeUInt32BE(100_000, 20);
    await expect(extractFeatures(bytesOf(whole))).rejects.toThrow(
      "has 100000 × 100000 pixels: at most 16 million are taken",
    );
  });
});

describe("gatehouse/lexical-visual", () => {
  it("has unit length and the same bytes each time", async () => {
    const features = await extractFeatures(bytesOf(await makePicture("png", 32, 32, stripes("x"))));
    for (const vector of [text("some words"), image(features)]) {
      expect(vector).toHaveLength(visual.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
    expect(Buffer.from(image(features).buffer)).toEqual(Buffer.from(image(features).buffer));
  });

  it("finds an image by its colour's name, and by nothing else of it", async () => {
    const [reds, blues] = await Promise.all(
      [red, blue].map(async (paint) => image(await extractFeatures(bytesOf(await makePicture("png", 32, 32, paint))))),
    );
    if (reds === undefined || blues === undefined) throw new Error("no images");
    expect(dot(text("a red wall"), reds)).toBeGreaterThan(dot(text("a red wall"), blues) + 0.1);
    expect(dot(text("a wall"), reds)).toBe(0);
  });

  it("joins what is written and what is shown in one block", async () => {
    const features = await extractFeatures(bytesOf(await makePicture("png", 32, 32, red)));
    const both = embedSeen(
      [
        { type: "text", text: "invoice 17" },
        { type: "image_url", image_url: { url: "x" } },
      ],
      [features],
    );
    expect(dot(both, text("invoice 17"))).toBeCloseTo(Math.SQRT1_2, 3);
    expect(dot(both, image(features))).toBeCloseTo(Math.SQRT1_2, 3);
  });
});
