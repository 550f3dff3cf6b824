import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { updateKey } from "#contract/keys.ts";
import { concluded } from "./action.ts";
import { staleAfter } from "./invalidation.ts";

it("a change makes what it concerns stale before the page goes on, and nothing else", async () => {
  const client = new QueryClient();
  const reads = staleAfter(updateKey);
  for (const read of [...reads, "listModels" as const]) client.setQueryData([read], {});
  const stale = () => reads.filter((read) => client.getQueryState([read])?.isInvalidated === true);
  let found: readonly string[] = [];
  await concluded(client, updateKey, () => void (found = stale()));
  expect(reads.length).toBeGreaterThan(0);
  expect(found).toEqual(reads);
  expect(client.getQueryState(["listModels"])?.isInvalidated).toBe(false);
});
