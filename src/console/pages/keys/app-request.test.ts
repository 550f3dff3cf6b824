import { describe, expect, it } from "vitest";
import { consentBody, readAppRequest } from "./app-request.ts";

const now = new Date("2026-11-26T12:00:00Z");
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const workspaceId = "0b5e2c1e-7d0c-4f57-9f5c-3d5f3d2f6a10";
const read = (query: Record<string, string>) => readAppRequest(`?${new URLSearchParams(query)}`, now);
const problem = (query: Record<string, string>) => (read(query) as { problem: string }).problem;

function valid(query: Record<string, string>) {
  const request = read(query);
  if ("problem" in request) throw new Error(request.problem);
  return request;
}

describe("what an app asks for", () => {
  it("is read from the page's address, and agreed to as it is", () => {
    const asked = { callback_url: "https://app.example.com/cb?state=1", code_challenge: challenge };
    const request = valid({
      ...asked,
      code_challenge_method: "S256",
      limit: "2.5",
      usage_limit_type: "weekly",
      key_label: "Notes",
      expires_at: "2027-01-01T00:00:00Z",
      workspace_id: workspaceId,
      state: "of no interest",
    });
    expect(request.callback).toMatchObject({ app: "app.example.com", place: "https://app.example.com/cb" });
    expect(consentBody(request, { ...request.values, workspaceId })).toEqual({
      ...asked,
      code_challenge_method: "S256",
      name: "Notes",
      limit: 2.5,
      limit_reset: "weekly",
      expires_at: "2027-01-01T00:00:00Z",
      workspace_id: workspaceId,
    });
  });

  it("begins with a limit of $10 and the app's name where it says nothing", () => {
    const { values } = valid({ callback_url: "http://localhost:3000/cb" });
    expect(values).toMatchObject({ name: "localhost:3000", limited: "yes", limit: "10.00", reset: "none" });
  });

  it("shows another script's host as it is called, and says so", () => {
    const { callback } = valid({ callback_url: "https://\u0430pp.example.com/" });
    expect(callback?.isForeignScript).toBe(true);
    expect(callback?.app).toMatch(/^xn--/);
  });

  it.each([
    [{}, /^code_challenge is required/],
    [{ callback_url: "http://app.example.com/" }, /^callback_url must be an https URL/],
    [{ callback_url: "javascript:alert(1)" }, /^callback_url/],
    [{ callback_url: "https://app.example.com/", code_challenge_method: "S256" }, /^code_challenge is required with/],
    [
      { callback_url: "https://app.example.com/", code_challenge: challenge, code_challenge_method: "MD5" },
      /^code_challenge_method must be/,
    ],
    [{ callback_url: "https://app.example.com/", limit: "much" }, /^limit/],
    [{ callback_url: "https://app.example.com/", limit: "" }, /^limit/],
    [{ callback_url: "https://app.example.com/", limit: "-1" }, /^limit must be 0 or more/],
    [{ callback_url: "https://app.example.com/", usage_limit_type: "hourly" }, /^usage_limit_type/],
    [{ callback_url: "https://app.example.com/", key_label: "x".repeat(101) }, /^key_label must have at most 100/],
    [
      { callback_url: "https://app.example.com/", expires_at: "2026-11-26T11:00:00Z" },
      /^expires_at must be in the future/,
    ],
    [{ callback_url: "https://app.example.com/", expires_at: "tomorrow" }, /^expires_at/],
    [{ callback_url: "https://app.example.com/", workspace_id: "default" }, /^workspace_id/],
  ])("%j is no request", (query, message) => expect(problem(query as Record<string, string>)).toMatch(message));

  it("with a member twice is no request", () => {
    const twice = "?callback_url=https://app.example.com/&callback_url=https://evil.example/";
    expect(readAppRequest(twice, now)).toEqual({ problem: "callback_url is there twice" });
  });
});
