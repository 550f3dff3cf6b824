import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { createKey, listKeys } from "#contract/keys.ts";
import { refreshAfter } from "./action.ts";
import { createClient, retryDelay, shouldRetry } from "./client.ts";
import { reachability } from "./connectivity.ts";
import { ApiError, NetworkError } from "./errors.ts";

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
