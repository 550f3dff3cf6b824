import { describe, expect, it } from "vitest";
import { readRatesLeft } from "./rate-headers.ts";

describe("readRatesLeft", () => {
  it.each([
    ["12ms", 12],
    ["1s", 1_000],
    ["6m0s", 360_000],
    ["2m59.56s", 179_560],
    ["7.66s", 7_660],
    ["1h0m0s", 3_600_000],
    ["30", 30_000],
    ["0.5", 500],
  ])("reads a reset of %s, as OpenAI, Groq and Azure write it", (reset, resetMs) => {
    const headers = {
      "x-ratelimit-limit-requests": "5000",
      "x-ratelimit-remaining-requests": "4999",
      "x-ratelimit-reset-requests": reset,
      "x-ratelimit-limit-tokens": "160000",
      "x-ratelimit-remaining-tokens": "159976",
      "x-ratelimit-reset-tokens": reset,
    };
    expect(readRatesLeft(headers)).toEqual({
      requests: { remaining: 4_999, limit: 5_000, resetMs: expect.closeTo(resetMs, 6) },
      tokens: { remaining: 159_976, limit: 160_000, resetMs: expect.closeTo(resetMs, 6) },
    });
  });

  it("reads Anthropic's instants by the vendor's own clock", () => {
    const headers = {
      date: "Tue, 25 Nov 2025 07:00:00 GMT",
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2025-11-25T07:00:30Z",
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": "2025-11-25T06:59:00Z",
    };
    expect(readRatesLeft(headers)).toEqual({
      requests: { remaining: 49, limit: 50, resetMs: 30_000 },
      tokens: { remaining: 0, limit: null, resetMs: 0 },
    });
  });

  it("reads Together's plain names", () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-limit": "10", "x-ratelimit-reset": "1" };
    expect(readRatesLeft(headers)).toEqual({ requests: { remaining: 0, limit: 10, resetMs: 1_000 }, tokens: null });
  });

  it.each([
    ["nothing", {}],
    ["Azure's -1 and 0", { "x-ratelimit-remaining-tokens": "-1", "x-ratelimit-reset-tokens": "0" }],
    ["no reset", { "x-ratelimit-remaining-requests": "3" }],
    ["an instant in milliseconds", { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "1764054000000" }],
    [
      "an instant without a Date",
      { "anthropic-ratelimit-tokens-remaining": "1", "anthropic-ratelimit-tokens-reset": "2025-11-25T07:00:30Z" },
    ],
    ["text", { "x-ratelimit-remaining-requests": "many", "x-ratelimit-reset-requests": "soon" }],
    ["an immense text", { "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "1s".repeat(10_000) }],
    ["an empty reset", { "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": " " }],
  ])("relies on nothing in %s", (_, headers) => {
    expect(readRatesLeft(headers)).toEqual({ requests: null, tokens: null });
  });

  it("takes a limit below what is left for none", () => {
    const headers = {
      "x-ratelimit-remaining-requests": "5",
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-reset-requests": "1s",
    };
    expect(readRatesLeft(headers).requests).toEqual({ remaining: 5, limit: null, resetMs: 1_000 });
  });
});
