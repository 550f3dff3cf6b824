import type { ServerResponse } from "node:http";
import { tokensOf, type VendorRates, type VendorRequest } from "./vendor-answers.ts";

/** Counts a vendor's rates as a token bucket, in the headers of OpenAI's documentation. */
export interface RateMeter {
  /** Sets the headers of an answer. @returns false where the request is beyond the rates: it was not counted */
  admit(request: VendorRequest, response: ServerResponse, rates: VendorRates): boolean;
}

export function createRateMeter(): RateMeter {
  let requests = Number.POSITIVE_INFINITY;
  let tokens = Number.POSITIVE_INFINITY;
  let atMs = performance.now();
  return {
    admit({ body }, response, rates) {
      const nowMs = performance.now();
      const refilled = (nowMs - atMs) / rates.refillMs;
      atMs = nowMs;
      requests = Math.min(rates.requests, requests + rates.requests * refilled);
      tokens = Math.min(rates.tokens, tokens + rates.tokens * refilled);
      const inputs: unknown[] = Array.isArray(body.input) ? body.input : [body.input];
      const needed = inputs.reduce<number>((sum, input) => sum + tokensOf(String(input)), 0);
      const isWithin = requests >= 1 && tokens >= needed;
      if (isWithin) {
        requests -= 1;
        tokens -= needed;
      } else {
        const missing = Math.max((1 - requests) / rates.requests, (needed - tokens) / rates.tokens);
        response.setHeader("retry-after", String(Math.ceil((missing * rates.refillMs) / 1_000)));
      }
      const reset = (left: number, most: number) => `${Math.ceil(((most - left) / most) * rates.refillMs)}ms`;
      response.setHeader("x-ratelimit-limit-requests", String(rates.requests));
      response.setHeader("x-ratelimit-remaining-requests", String(Math.floor(requests)));
      response.setHeader("x-ratelimit-reset-requests", reset(requests, rates.requests));
      response.setHeader("x-ratelimit-limit-tokens", String(rates.tokens));
      response.setHeader("x-ratelimit-remaining-tokens", String(Math.floor(tokens)));
      response.setHeader("x-ratelimit-reset-tokens", reset(tokens, rates.tokens));
      return isWithin;
    },
  };
}
