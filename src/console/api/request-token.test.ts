import { expect, it } from "vitest";
import { sortedText } from "./request-token.ts";

it("takes requests for the same whose members were put together in another order", () => {
  const first = { name: "a", workspace_id: "w", limits: [{ day: 1, month: 2 }, 3] };
  const again = { workspace_id: "w", limits: [{ month: 2, day: 1 }, 3], name: "a" };
  expect(sortedText(again)).toBe(sortedText(first));
  expect(sortedText({ ...first, limits: [3, { day: 1, month: 2 }] })).not.toBe(sortedText(first));
});
