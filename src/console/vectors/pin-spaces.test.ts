import { expect, it } from "vitest";
import { pinSpaces } from "./pin-spaces.ts";
import { unheard, type Answer } from "./run-batch.ts";

const { signal } = new AbortController();
const chunk = (item: number, inputType: string | null = null) => ({ items: [item], inputType });
const answer = (spaces: readonly string[]): Answer => ({
  vectors: [],
  tokens: 0,
  cost: null,
  ms: 1,
  generation: null,
  spaces,
  unfamiliar: [],
});

/** What was sent, with the space that it required; each answer waits for its turn. */
function gateway(spacesOf: (item: number) => readonly string[] | null) {
  const sent: [item: number | undefined, space: string | null][] = [];
  const send = pinSpaces(async ({ items }, _, space) => {
    sent.push([items[0], space]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const spaces = spacesOf(items[0] ?? 0);
    return spaces ? answer(spaces) : { refused: { ...unheard, message: "Not now." } };
  });
  return { sent, send };
}

it("requires the space of the first answer of every further call, though several are sent at once", async () => {
  const { sent, send } = gateway((item) => [`vs_${item}`]);
  await Promise.all([send(chunk(1), signal), send(chunk(2), signal), send(chunk(3), signal)]);
  expect(sent).toEqual([
    [1, null],
    [2, "vs_1"],
    [3, "vs_1"],
  ]);
});

it("goes by the next answer where the first call was refused, and by none that names several spaces or none", async () => {
  const { sent, send } = gateway((item) => [null, ["vs_a", "vs_b"], [], ["vs_c"], ["vs_c"]][item] ?? null);
  for (const item of [0, 1, 2, 3, 4]) await send(chunk(item), signal);
  expect(sent.map(([, space]) => space)).toEqual([null, null, null, null, "vs_c"]);
});

it("has a space each for queries and documents", async () => {
  const { sent, send } = gateway((item) => [`vs_${item}`]);
  await Promise.all([send(chunk(1, "search_query"), signal), send(chunk(2, "search_document"), signal)]);
  await send(chunk(3, "search_query"), signal);
  expect(sent.at(-1)).toEqual([3, "vs_1"]);
});
