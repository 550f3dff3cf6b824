import { expect, it } from "vitest";
import { bodyOf, PlaygroundSearch } from "./settings.ts";

it("the required vector space goes along as a preference, and an address with anything else as one is without", () => {
  const space = "vs_1f0a93c27be45d6680aa-1536";
  expect(bodyOf(PlaygroundSearch.parse({ space, fallbacks: false }), "acme/embed")).toEqual({
    model: "acme/embed",
    provider: { allow_fallbacks: false, require_vector_space: space },
  });
  expect(PlaygroundSearch.parse({ space: "my words" })).toEqual({ space: undefined });
});
