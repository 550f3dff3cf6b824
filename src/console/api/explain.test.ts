import { describe, expect, it } from "vitest";
import { errorStatus } from "#contract/errors.ts";
import { ApiError, NetworkError } from "./errors.ts";
import { explain } from "./explain.ts";

describe("the words for an error", () => {
  it.each(Object.entries(errorStatus))("of type %s keep the server's own and stay short", (type, status) => {
    const said = explain(
      new ApiError(status, "the server's words", { metadata: { error_type: type, request_id: "req_1" } }),
    );
    expect(said).toMatchObject({ said: "the server's words", status, requestId: "req_1" });
    expect(`${said.title}${said.advice}`.length).toBeLessThanOrEqual(140);
    expect(`${said.title} ${said.advice}`).not.toMatch(/!|oops/i);
  });

  it("offer another try only where it can help", () => {
    const retried = Object.values(errorStatus).filter((status) => explain(new ApiError(status, "no")).retry);
    expect(retried.toSorted()).toEqual([409, 429, 500, 502, 503, 524, 529]);
    expect(explain(new NetworkError("timeout")).retry).toBe(true);
  });
});
