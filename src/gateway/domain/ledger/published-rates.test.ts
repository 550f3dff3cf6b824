import { expect, it } from "vitest";
import { publishedRatesOf } from "./published-rates.ts";

it.each<[model: string, longest: readonly [above: number, prompt: number, completion: number][], sound: number]>([
  ["gemini-2.5-pro", [[200_000, 200, 150]], 100],
  ["models/gemini-pro-latest", [[200_000, 200, 150]], 100],
  ["gemini-3-pro-image-preview", [], 100],
  ["gemini-flash-latest", [], 334],
  ["gemini-3.6-flash", [], 200],
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", [[200_000, 200, 150]], 100],
  ["claude-sonnet-4-6", [], 100],
  [
    "qwen3-vl-plus",
    [
      [32_000, 150, 150],
      [128_000, 300, 300],
    ],
    100,
  ],
  ["an-unknown-model", [], 100],
])("%s costs more above %j", (upstreamId, longest, sound) => {
  const rates = publishedRatesOf({ upstreamId, id: "acme/deployed" });
  expect(rates.longPrompts.map(({ above, prompt, completion }) => [above, prompt, completion])).toEqual(longest);
  expect(rates.sound.prompt).toBe(sound);
});
