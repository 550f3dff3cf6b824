import { expect, it } from "vitest";
import { attribution } from "./attribution.ts";

const none = { referer: null, title: null, categories: [] };

it.each<[headers: Record<string, string>, read: Partial<typeof none> | object]>([
  [{}, {}],
  [{ "x-service-title": " My app " }, { title: "My app" }],
  [{ "x-openrouter-title": " My app " }, { title: "My app" }],
  [{ "x-title": " My app " }, { title: "My app" }],
  [{ "x-title": "old", "x-openrouter-title": "middle", "x-service-title": "new" }, { title: "new" }],
  [{ "x-title": "y".repeat(10_000) }, { title: "y".repeat(500) }],
  [{ "http-referer": "https://app.example" }, { referer: "https://app.example" }],
  [{ "x-openrouter-categories": `chat, ,${"x".repeat(31)}, code ` }, { categories: ["chat", "code"] }],
])("of the headers %j reads %j", (headers, read) => {
  expect(attribution(headers)).toEqual({ ...none, ...read });
});
