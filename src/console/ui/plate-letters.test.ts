import { expect, it } from "vitest";
import { presets } from "#contract/provider-presets.ts";
import { plateLetters } from "./plate-letters.ts";

it("has other letters for vendors whose names begin alike", () => {
  const of = (name: string) => plateLetters(name);
  expect(["OpenAI", "OpenRouter", "DeepInfra", "DeepSeek", "Groq", "xAI", "🚢 ship", ""].map(of)).toEqual([
    "OA",
    "OR",
    "DI",
    "DS",
    "Gr",
    "XA",
    "Sh",
    "",
  ]);
  const known = Object.values(presets).map(({ name }) => of(name));
  expect(known.filter((letters, index) => known.indexOf(letters) !== index)).toEqual([]);
});
