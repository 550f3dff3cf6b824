import { expect, it } from "vitest";
import { payloadFields } from "./payload.ts";

it("reads OpenTelemetry's attributes by their own names", () => {
  const span = {
    traceId: "t1",
    attributes: [
      { key: "gen_ai.request.model", value: { stringValue: "openai/gpt-5-mini" } },
      { key: "gen_ai.usage.input_tokens", value: { intValue: "1204" } },
    ],
  };
  expect(payloadFields(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }))).toEqual([
    { name: "spans.traceId", value: "t1" },
    { name: "gen_ai.request.model", value: "openai/gpt-5-mini" },
    { name: "gen_ai.usage.input_tokens", value: "1204" },
  ]);
});

it("reads lines of JSON, lists and nothing at all", () => {
  expect(payloadFields('{"id":"a","cost":0.5}\n{"id":"b","cost":null}')).toEqual([
    { name: "[0].id", value: "a" },
    { name: "[0].cost", value: "0.5" },
    { name: "[1].id", value: "b" },
    { name: "[1].cost", value: "null" },
  ]);
  expect(payloadFields("not json")).toBeNull();
  expect(payloadFields("{}")).toEqual([]);
});

it("stops at two hundred values", () =>
  expect(payloadFields(JSON.stringify(Array.from({ length: 500 }, (_, index) => index)))).toHaveLength(200));
