import { describe, expect, it } from "vitest";
import { emptyVersion, settingsBody, versionBody, versionForm, versionProblems, versionWords } from "./preset-form.ts";

const config = {
  model: "acme/talk",
  temperature: 0.2,
  top_p: 0.9,
  max_tokens: 500,
  seed: 7,
  provider: { only: ["acme"], sort: "price", data_collection: "deny", zdr: true },
};

describe("the form of a version", () => {
  it("gives back what is stored, in fields and in JSON", () => {
    const form = versionForm({ config, system_prompt: "Be brief." });
    expect(form).toMatchObject({
      model: "acme/talk",
      prompt: "Be brief.",
      temperature: "0.2",
      longest: "500",
      only: ["acme"],
      sort: "price",
      deny: true,
    });
    expect(JSON.parse(form.more)).toEqual({ seed: 7, provider: { zdr: true } });
    expect(versionBody(form)).toEqual({ config, system_prompt: "Be brief." });
    expect(versionProblems(form)).toEqual({});
  });

  it("leaves what its fields cannot say as it is stored", () => {
    const odd = { provider: { sort: { by: "latency" }, data_collection: "allow" } };
    const form = versionForm({ config: odd, system_prompt: null });
    expect(form).toMatchObject({ sort: "", deny: false });
    expect(versionBody(form)).toEqual({ config: odd, system_prompt: null });
    expect(versionProblems(form)).toEqual({});
  });

  it("is nothing where nothing is filled in", () => {
    expect(versionBody(emptyVersion)).toEqual({ config: {}, system_prompt: null });
    expect(versionForm({ config: {}, system_prompt: null })).toEqual(emptyVersion);
  });

  it.each([
    [{ temperature: "warm" }, { temperature: "Temperature must be a number, such as 0.7" }],
    [{ longest: "a few" }, { longest: "Maximum tokens must be a number, such as 0.7" }],
    [{ more: "{" }, { more: 'This must be a JSON object, such as {"top_k": 40}' }],
    [{ more: "[]" }, { more: 'This must be a JSON object, such as {"top_k": 40}' }],
    [{ more: '{"temperature": 1}' }, { more: "temperature has a field of its own above" }],
    [{ more: '{"provider": {"only": ["a"]}}' }, { more: "provider.only has a field of its own above" }],
    [{ more: '{"provider": {"sort": "price"}}' }, { more: "provider.sort has a field of its own above" }],
  ])("names what is wrong in %j", (values, problems) =>
    expect(versionProblems({ ...emptyVersion, ...values })).toEqual(problems),
  );

  it("says a version in words", () =>
    expect(versionWords({ config: { model: "acme/talk" }, system_prompt: null })).toMatchObject({
      Model: "acme/talk",
      "System prompt": "none",
      Data: "no",
    }));
});

it("an empty description is none", () =>
  expect(settingsBody({ name: " Mail ", description: " ", status: "active" })).toEqual({
    name: "Mail",
    description: null,
    status: "active",
  }));
