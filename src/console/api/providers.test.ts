import { expect, it } from "vitest";
import { type OfferedModel, unpricedModels } from "./providers.ts";

const model = (id: string, price: string | null, enabled = true) =>
  ({ id, enabled, pricing: price === null ? null : { prompt: price } }) as OfferedModel;

it("a model is without a price where nobody who serves it has one", () => {
  const providers = [
    { enabled: true, models: [model("a/free", "0"), model("a/dear", null), model("a/off", null, false)] },
    { enabled: true, models: [model("a/dear", "0.01"), model("a/unknown", null)] },
    { enabled: false, models: [model("a/elsewhere", null)] },
    { enabled: true, models: [model("a/unknown", null)] },
  ];
  expect(unpricedModels(providers)).toBe(1);
});
