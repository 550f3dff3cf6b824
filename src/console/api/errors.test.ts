import { describe, expect, it } from "vitest";
import { readError, retryAfterSeconds } from "./errors.ts";

const now = new Date("2026-11-20T12:00:00Z");

describe("reading a refusal", () => {
  it("takes the words, the type, the issues and the request id out of the envelope", async () => {
    const response = Response.json(
      {
        error: {
          code: 400,
          message: "limit must be 0 or more",
          metadata: {
            error_type: "invalid_request",
            request_id: "req_1",
            issues: [{ path: "limit", message: "must be 0 or more" }],
          },
        },
      },
      { status: 400 },
    );
    const error = await readError(response, now);
    expect(error).toMatchObject({
      status: 400,
      type: "invalid_request",
      message: "limit must be 0 or more",
      requestId: "req_1",
      issues: [{ path: "limit", message: "must be 0 or more" }],
      retryAfter: undefined,
    });
  });

  it.each([
    ["a proxy's page", new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["JSON of another shape", Response.json({ message: "no" }, { status: 502 })],
    ["an empty body", new Response(null, { status: 502 })],
  ])("says that %s is not the gateway's answer", async (_, response) => {
    const error = await readError(response, now);
    expect(error.status).toBe(502);
    expect(error.type).toBeUndefined();
    expect(error.message).toContain("did not come from the gateway (HTTP 502)");
  });

  it("reads both forms of Retry-After, and never a negative wait", () => {
    expect(retryAfterSeconds("7", now)).toBe(7);
    expect(retryAfterSeconds("Fri, 20 Nov 2026 12:00:30 GMT", now)).toBe(30);
    expect(retryAfterSeconds("Fri, 20 Nov 2026 11:00:00 GMT", now)).toBe(0);
    expect(retryAfterSeconds("soon", now)).toBeUndefined();
    expect(retryAfterSeconds(null, now)).toBeUndefined();
  });
});
