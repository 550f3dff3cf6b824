import { describe, expect, it } from "vitest";
import { hostileRequests } from "./testing/hostile-requests.ts";
import { attack, beyondBounds, boundMs, exitCode, report, withMeteredGateway } from "./testing/turn-bounds.ts";

withMeteredGateway();

describe("while a hostile request is served", () => {
  it(`the gateway's thread is never held for more than ${boundMs} ms, and answers no 500`, async () => {
    // What is slow the first time, because it is compiled, is no matter of the request.
    for (const one of hostileRequests.filter((_, at) => at % 4 === 0)) await attack(one);
    await report();
    expect(await beyondBounds(hostileRequests, (status) => status < 500 || status === 503)).toEqual([]);
    expect(exitCode()).toBeNull();
  });
});
