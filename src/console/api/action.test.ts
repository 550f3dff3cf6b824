import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { createKey, listKeys } from "#contract/keys.ts";
import { refreshAfter } from "./action.ts";
import { createClient } from "./client.ts";

it("begins a first read anew that was on its way when something changed", async () => {
  const client = createClient();
  const answers: ((rows: string[]) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [listKeys.name, {}],
    queryFn: () => new Promise<string[]>((resolve) => answers.push(resolve)),
  });
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
