import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { errorStatus } from "#contract/errors.ts";
import { createKey, listKeys } from "#contract/keys.ts";
import { fourDates } from "../example-dates.ts";
import { refreshAfter } from "./action.ts";
import { createClient, retryDelay, shouldRetry } from "./client.ts";
import { reachability } from "./connectivity.ts";
import { explain } from "./error-messages.ts";
import { ApiError, NetworkError, readError, retryAfterSeconds } from "./errors.ts";

const [now] = fourDates;

it("a refusal's words, type, issues and request id are taken out of the envelope", async () => {
  const issues = [{ path: "limit", message: "must be 0 or more" }];
  const message = "limit must be 0 or more";
  const metadata = { error_type: "invalid_request", request_id: "req_1", issues };
  const error = await readError(Response.json({ error: { code: 400, message, metadata } }, { status: 400 }), now);
  const read = { status: 400, type: "invalid_request", requestId: "req_1", retryAfter: undefined };
  expect(error).toMatchObject({ ...read, message, issues });
});

it.each([
  ["a proxy's page", new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ["JSON of another shape", Response.json({ message: "no" }, { status: 502 })],
  ["an empty body", new Response(null, { status: 502 })],
])("%s is not the gateway's answer", async (_, response) => {
  const { status, type, message } = await readError(response, now);
  expect([status, type]).toEqual([502, undefined]);
  expect(message).toContain("did not come from the gateway (HTTP 502)");
});

it.each(fourDates)("both forms of Retry-After are read on %s, and never a negative wait", (at) => {
  const date = (seconds: number) => new Date(at.getTime() + seconds * 1_000).toUTCString();
  const waits = ["7", date(30), date(-3_600), "soon", null].map((header) => retryAfterSeconds(header, at));
  expect(waits).toEqual([7, 30, 0, undefined, undefined]);
});

it.each(Object.entries(errorStatus))("the words for %s keep the server's own and stay short", (error_type, status) => {
  const metadata = { error_type, request_id: "req_1" };
  const said = explain(new ApiError(status, "the server's words", { metadata }));
  expect(said).toMatchObject({ said: "the server's words", status, requestId: "req_1" });
  expect(`${said.title}${said.advice}`.length).toBeLessThanOrEqual(140);
  expect(`${said.title} ${said.advice}`).not.toMatch(/!|oops/i);
});

it.each([
  [30, undefined, "Try again in 30 seconds."],
  [1, undefined, "Try again in 1 second."],
  [5, 2, "Try again in 2 seconds."],
  [5, 1, "Try again in 1 second."],
  [5, 0, "You can try again now."],
])("the words say how long the gateway asks to wait: %d seconds, of which %s are left", (retryAfter, left, advice) => {
  expect(explain(new ApiError(429, "no", { retryAfter }), left).advice).toBe(advice);
  expect(explain(new ApiError(429, "no")).advice).toContain("asked you to wait");
});

it("another try is offered only where it can help", () => {
  const statuses = [...new Set(Object.values(errorStatus))];
  const retried = statuses.filter((status) => explain(new ApiError(status, "no")).retry);
  expect(retried.toSorted()).toEqual([409, 429, 500, 502, 503, 524, 529]);
  expect(explain(new NetworkError("timeout")).retry).toBe(true);
});

const [problem, slow] = [new ApiError(500, "statement timeout"), new ApiError(429, "slow", { retryAfter: 7 })];
it.each<[string, Error, boolean[]]>([
  ["twice when the gateway had a problem", problem, [true, true, false, false, false]],
  ["four times when told to slow down", slow, [true, true, true, true, false]],
  // the second failure in a row raises the bar, which probes by itself
  ["once when no answer came", new NetworkError("unreachable"), [true, false, false, false, false]],
  ["never for a mistake of the console's own", new TypeError("x is not a function"), [false]],
  ...[400, 401, 403, 404, 409].map((status): [string, Error, boolean[]] => {
    return [`never when refused with ${status}`, new ApiError(status, "no"), [false]];
  }),
])("a read is tried again %s", (_, error, tried) =>
  expect(tried.map((__, failures) => shouldRetry(failures, error))).toEqual(tried),
);

it("a read waits as long as the server asked for, or else 1, 2, 4, 8 s and no longer, with at most a fifth more", () => {
  expect(retryDelay(3, slow)).toBe(7_000);
  const waits = [0, 1, 2, 3, 9].map((failures) => retryDelay(failures, problem, () => 0));
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
  expect(retryDelay(3, problem, () => 1)).toBe(9_600);
});

it("reads everything again once the gateway answers again, but no list that announces what is new", () => {
  const client = createClient();
  const invalidated = () =>
    (["listKeys", "listAudit"] as const).map((name) => client.getQueryState([name])?.isInvalidated);
  for (const name of ["listKeys", "listAudit"] as const) {
    client.getQueryCache().build(client, { queryKey: [name], meta: { announcesNew: name === "listAudit" } });
    client.setQueryData([name], { data: [] });
  }
  client.getQueryCache().build(client, { queryKey: ["listAudit", "failed"], meta: { announcesNew: true } });
  reachability.set({ reachable: false, lastAnswerAt: 0, nextProbeAt: 5_000 });
  expect(invalidated()).toEqual([false, false]);
  reachability.set({ reachable: true });
  expect(invalidated()).toEqual([true, false]);
  expect(client.getQueryState(["listAudit", "failed"])?.isInvalidated).toBe(true);
});

it("begins a first read anew that was on its way when something changed", async () => {
  const client = createClient();
  const answers: ((rows: string[]) => void)[] = [];
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey: [listKeys.name, {}], queryFn });
  const stop = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);
  const refreshed = refreshAfter(client, createKey);
  expect(answers).toHaveLength(2);
  answers[0]?.([]);
  answers[1]?.(["the new key"]);
  await refreshed;
  expect(observer.getCurrentResult()).toMatchObject({ isSuccess: true, data: ["the new key"] });
  stop();
  client.clear();
});
