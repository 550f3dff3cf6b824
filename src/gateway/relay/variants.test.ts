import { describe, expect, it } from "vitest";
import { withoutVariants, withPlugins } from "./variants.ts";

const isKnown = (id: string) => ["acme/chat", "acme/own:online", "acme/own"].includes(id);

describe("a suffix of a model's id", () => {
  it.each([
    ["sorts the providers", "acme/chat:nitro", "acme/chat", { sort: "throughput" }],
    ["is left where it does not sort", "acme/chat:online", "acme/chat:online", {}],
    ["is left where no provider has the model without it", "acme/none:floor", "acme/none:floor", {}],
  ])("%s", (_, id, model, preferences) => {
    expect(withoutVariants([id], {}, isKnown)).toEqual({ models: [model], preferences });
  });

  const web = { id: "web" };
  it.each([
    ["asks for the plugin web", "acme/chat:online", {}, "acme/chat", { plugins: [web] }],
    [
      "adds it to others",
      "acme/chat:online",
      { plugins: [{ id: "file-parser" }] },
      "acme/chat",
      { plugins: [{ id: "file-parser" }, web] },
    ],
    [
      "asks once",
      "acme/chat:online",
      { plugins: [{ ...web, max_results: 3 }] },
      "acme/chat",
      { plugins: [{ ...web, max_results: 3 }] },
    ],
    ["is part of a model's own id", "acme/own:online", {}, "acme/own:online", {}],
    ["means nothing at an unknown model", "acme/none:online", {}, "acme/none:online", {}],
  ])("%s", (_, id, body, model, sent) => {
    expect(withPlugins({ models: [id], body }, isKnown)).toEqual({ models: [model], body: sent });
  });
});

it.each(["constructor", "toString", "__proto__"])("no member of every object is a variant: %s", (suffix) => {
  const models = [`acme/chat:${suffix}`];
  expect(withoutVariants(models, {}, (id) => id === "acme/chat")).toEqual({ models, preferences: {} });
});
