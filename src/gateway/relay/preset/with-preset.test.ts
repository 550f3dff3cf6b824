import { describe, expect, it } from "vitest";
import { Refusal } from "../../domain/refusal.ts";
import { presetNamedIn } from "./with-preset.ts";

describe("the preset that a request names", () => {
  it.each([
    [{ model: "@preset/mail" }, { slug: "mail", rest: {} }],
    [{ model: "acme/talk@preset/mail" }, { slug: "mail", rest: { model: "acme/talk" } }],
    [{ model: "acme/talk:nitro@preset/mail_2-b" }, { slug: "mail_2-b", rest: { model: "acme/talk:nitro" } }],
    [
      { model: "acme/talk", preset: "mail" },
      { slug: "mail", rest: { model: "acme/talk" } },
    ],
    [{ preset: "mail" }, { slug: "mail", rest: {} }],
    [
      { model: null, preset: "mail" },
      { slug: "mail", rest: {} },
    ],
    [
      { model: "@preset/mail", preset: "mail" },
      { slug: "mail", rest: {} },
    ],
    [{ model: "acme/talk" }, null],
    [{ model: "acme/talk", preset: null }, null],
  ])("in %j is %j", (request, named) => {
    expect(presetNamedIn(request)).toEqual(named);
  });

  it.each([
    [{ model: "@preset/" }, "model must have the slug"],
    [{ model: "@preset/Mail" }, "model must have the slug"],
    [{ model: "@preset/a@preset/b" }, "model must have the slug"],
    [{ model: `@preset/${"a".repeat(65)}` }, "model must have the slug"],
    [{ preset: "@preset/mail" }, "preset must be the slug"],
    [{ preset: 7 }, "preset must be the slug"],
    [{ preset: "" }, "preset must be the slug"],
    [{ model: "@preset/a", preset: "b" }, "preset must be a, which model names: a call has one preset"],
    [{ models: ["acme/talk", "@preset/mail"] }, "models.1 must be the id of a model"],
    [{ fallbacks: [{ model: "@preset/mail" }] }, "fallbacks.0.model must be the id of a model"],
  ])("is refused in %j: %s", (request, message) => {
    expect(() => presetNamedIn(request)).toThrow(Refusal);
    expect(() => presetNamedIn(request)).toThrow(message);
  });
});
