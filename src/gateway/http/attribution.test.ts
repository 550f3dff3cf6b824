import { expect, it } from "vitest";
import { attribution } from "./attribution.ts";

it.each(["x-service-title", "x-openrouter-title", "x-title"])("reads the title from %s", (header) => {
  expect(attribution({ [header]: " My app " }).title).toBe("My app");
});

it("prefers the specification's own spelling", () => {
  const headers = { "x-title": "old", "x-openrouter-title": "middle", "x-service-title": "new" };
  expect(attribution(headers).title).toBe("new");
});

it("reads the referer under the name that clients send", () => {
  expect(attribution({ "http-referer": "https://app.example" }).referer).toBe("https://app.example");
});

it("keeps short categories and drops the others", () => {
  expect(attribution({ "x-openrouter-categories": `chat, ,${"x".repeat(31)}, code ` }).categories).toEqual([
    "chat",
    "code",
  ]);
});

it("takes nothing from headers that are not there", () => {
  expect(attribution({})).toEqual({ referer: null, title: null, categories: [] });
});

it("cuts what is too long to be kept", () => {
  expect(attribution({ "x-title": "y".repeat(10_000) }).title).toHaveLength(500);
});
