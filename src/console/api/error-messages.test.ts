import { describe, expect, it } from "vitest";
import { errorStatus } from "#contract/errors.ts";
import { ApiError, NetworkError } from "./errors.ts";
import { explain } from "./error-messages.ts";

describe("the words for an error", () => {
  it.each(Object.entries(errorStatus))("of type %s keep the server's own and stay short", (type, status) => {
    const said = explain(
      new ApiError(status, "the server's words", { metadata: { error_type: type, request_id: "req_1" } }),
    );
    expect(said).toMatchObject({ said: "the server's words", status, requestId: "req_1" });
    expect(`${said.title}${said.advice}`.length).toBeLessThanOrEqual(140);
    expect(`${said.title} ${said.advice}`).not.toMatch(/!|oops/i);
  });

  it("say how long the gateway asks to wait, where it does", () => {
    expect(explain(new ApiError(429, "no", { retryAfter: 30 })).advice).toBe("Try again in 30 seconds.");
    expect(explain(new ApiError(429, "no", { retryAfter: 1 })).advice).toBe("Try again in 1 second.");
    expect(explain(new ApiError(429, "no")).advice).toContain("asked you to wait");
  });

  it("count that wait down, and say when it is over", () => {
    const slowed = new ApiError(429, "no", { retryAfter: 5 });
    expect(explain(slowed, 2).advice).toBe("Try again in 2 seconds.");
    expect(explain(slowed, 1).advice).toBe("Try again in 1 second.");
    expect(explain(slowed, 0).advice).toBe("You can try again now.");
  });

  it("offer another try only where it can help", () => {
    const statuses = [...new Set(Object.values(errorStatus))];
    const retried = statuses.filter((status) => explain(new ApiError(status, "no")).retry);
    expect(retried.toSorted()).toEqual([409, 429, 500, 502, 503, 524, 529]);
    expect(explain(new NetworkError("timeout")).retry).toBe(true);
  });
});
