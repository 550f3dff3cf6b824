import { expect, it } from "vitest";
import { runLanes } from "./lanes.ts";

/** Parts that say their name at the beginning and at the end, and end when they are told to. */
function partsIn(...lanes: string[]) {
  const begun: number[] = [];
  let printed = "";
  const ends = lanes.map(() => Promise.withResolvers<void>());
  const run = runLanes(
    lanes.map((lane, index) => ({
      lane,
      run: async (say) => {
        begun.push(index);
        say(`${index} begins. `);
        await ends[index]?.promise;
        say(`${index} ends. `);
        return `result ${index}`;
      },
    })),
    (text) => (printed += text),
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    printed: () => printed,
    results: run,
    end: async (index: number) => {
      ends[index]?.resolve();
      await settle();
    },
  };
}

it("runs lanes beside each other, and the parts of one lane one after the other", async () => {
  const parts = partsIn("a", "b", "a");
  expect(parts.begun).toEqual([0, 1]);
  await parts.end(1);
  expect(parts.begun).toEqual([0, 1]);
  await parts.end(0);
  expect(parts.begun).toEqual([0, 1, 2]);
  await parts.end(2);
  expect(await parts.results).toEqual(["result 0", "result 1", "result 2"]);
});

it("prints what the first part says as it comes, and the others' words in their turn", async () => {
  const parts = partsIn("a", "b", "b", "a");
  expect(parts.printed()).toBe("0 begins. ");
  await parts.end(1);
  expect(parts.printed()).toBe("0 begins. ");
  await parts.end(0);
  expect(parts.printed()).toBe("0 begins. 0 ends. 1 begins. 1 ends. 2 begins. ");
  await parts.end(3);
  await parts.end(2);
  expect(parts.printed()).toBe("0 begins. 0 ends. 1 begins. 1 ends. 2 begins. 2 ends. 3 begins. 3 ends. ");
});

it("gives on the failure of a part", async () => {
  const failing = { lane: "a", run: () => Promise.reject(new Error("broken")) };
  await expect(runLanes([failing], () => {})).rejects.toThrow("broken");
});
