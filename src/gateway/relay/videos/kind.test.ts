import * as fc from "fast-check";
import { expect, it } from "vitest";
import { videoResolutions } from "#contract/video-size.ts";
import { videoCost } from "./kind.ts";

const cents = fc.integer({ min: 0, max: 10_000 }).map((amount) => (amount / 100).toFixed(2));
const size = fc.oneof(
  fc.constantFrom<string[]>(...videoResolutions),
  fc
    .tuple(fc.integer({ min: 100, max: 4_096 }), fc.integer({ min: 100, max: 4_096 }))
    .map(([width, height]) => `${width}x${height}`),
);
const pricing = fc.record({
  prompt: cents,
  second: cents,
  seconds: fc.array(fc.record({ size, price: cents }), { maxLength: 5 }),
  request: cents,
  image: cents,
});

it("what a video is charged, whatever the vendor says that it made, is within what was reserved for it", () => {
  fc.assert(
    fc.property(
      pricing,
      fc.record({ seconds: fc.integer({ min: 1, max: 300 }), images: fc.nat(16), size: fc.option(size) }),
      fc.option(fc.double({ min: 0.001, max: 1_000, noNaN: true })),
      fc.option(size),
      (prices, asked, seconds, made) => {
        const billed = Math.min(seconds ?? asked.seconds, asked.seconds);
        const cost = videoCost(prices, { ...asked, seconds: billed, size: asked.size ?? made });
        expect(cost).toBeLessThanOrEqual(videoCost(prices, asked));
      },
    ),
  );
});

it("a second is priced by the size that it comes nearest to, and by the first row that fits", () => {
  const prices = {
    prompt: "0",
    second: "1",
    seconds: [
      { size: "1080p", price: "3" },
      { size: "1280x720", price: "2" },
    ],
  };
  const of = (one: string | null) => videoCost(prices, { seconds: 1, images: 0, size: one }) / 1_000_000_000n;
  expect([of("1920x1080"), of("1080x1920"), of("1080p"), of("1280x720"), of("720p"), of("480p"), of(null)]).toEqual([
    3n,
    3n,
    3n,
    2n,
    2n,
    1n,
    3n,
  ]);
});
