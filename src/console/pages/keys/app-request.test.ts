import { expect, it } from "vitest";
import { consentBody, readAppRequest } from "./app-request.ts";

const now = new Date("2026-11-26T12:00:00Z");
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const workspaceId = "0b5e2c1e-7d0c-4f57-9f5c-3d5f3d2f6a10";
const callback_url = "https://app.example.com/";
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const read = (query: Record<string, string>) => readAppRequest(`?${new URLSearchParams(query)}`, now);

function valid(query: Record<string, string>) {
  const request = read(query);
  if ("problem" in request) throw new Error(request.problem);
  return request;
}

it("is read from the page's address, and agreed to as it is", () => {
  const url = "https://app.example.com/cb?state=1";
  const asked = { callback_url: url, code_challenge: challenge, code_challenge_method: "S256" };
  const expires_at = "2027-01-01T00:00:00Z";
  const limits = { limit: "2.5", usage_limit_type: "weekly", key_label: "Notes", expires_at };
  const request = valid({ ...asked, ...limits, workspace_id: workspaceId, state: "of no interest" });
  expect(request.callback).toMatchObject({ app: "app.example.com", place: "https://app.example.com/cb" });
  const key = { name: "Notes", limit: 2.5, limit_reset: "weekly", expires_at, workspace_id: workspaceId };
  expect(consentBody(request, { ...request.values, workspaceId })).toEqual({ ...asked, ...key });
});

it("begins with a limit of $10 and the app's name, and shows another script's host as it is called", () => {
  const { values } = valid({ callback_url: "http://localhost:3000/cb" });
  expect(values).toMatchObject({ name: "localhost:3000", limited: "yes", limit: "10.00", reset: "none" });
  const { callback } = valid({ callback_url: "https://\u0430pp.example.com/" });
  expect(callback).toMatchObject({ isForeignScript: true, app: like(/^xn--/) });
});

it.each<[Record<string, string>, RegExp]>([
  [{ callback_url: "http://app.example.com/" }, /^callback_url must be an https URL/],
  [{ callback_url: "javascript:alert(1)" }, /^callback_url/],
  [{ code_challenge_method: "S256" }, /^code_challenge is required with/],
  [{ code_challenge: challenge, code_challenge_method: "MD5" }, /^code_challenge_method must be/],
  [{ limit: "much" }, /^limit/],
  [{ limit: "" }, /^limit/],
  [{ limit: "-1" }, /^limit must be 0 or more/],
  [{ usage_limit_type: "hourly" }, /^usage_limit_type/],
  [{ key_label: "x".repeat(101) }, /^key_label must have at most 100/],
  [{ expires_at: "2026-11-26T11:00:00Z" }, /^expires_at must be in the future/],
  [{ expires_at: "tomorrow" }, /^expires_at/],
  [{ workspace_id: "default" }, /^workspace_id/],
])("%j is no request", (more, why) => expect(read({ callback_url, ...more })).toEqual({ problem: like(why) }));

it("with nothing, or with a member twice, is no request", () => {
  expect(read({})).toEqual({ problem: like(/^code_challenge is required/) });
  const twice = `?callback_url=${callback_url}&callback_url=https://evil.example/`;
  expect(readAppRequest(twice, now)).toEqual({ problem: "callback_url is there twice" });
});
