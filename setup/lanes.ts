/** Takes what a part of the tests prints. */
export type Say = (text: string) => void;

export interface InLane<Result> {
  lane: string;
  run: (say: Say) => Promise<Result>;
}

/**
 * Runs parts of one lane one after the other, and lanes in parallel. What they say is printed as if all had run one after
 * the other: that of the first part which has not ended as it comes, that of the others when it is their turn.
 * @returns their results, in the order of the parts
 */
export async function runLanes<Result>(parts: InLane<Result>[], print: Say): Promise<Result[]> {
  const outputs = parts.map(() => ({ held: "", ended: false }));
  let turn = 0;
  const lanes = Map.groupBy([...parts.entries()], ([, { lane }]) => lane);
  const results = new Map<number, Result>();
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const [index, part] of lane) {
        results.set(index, await part.run((text) => say(index, text)));
        end(index);
      }
    }),
  );
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);

  function say(index: number, text: string): void {
    const output = outputs[index];
    if (index === turn) print(text);
    else if (output !== undefined) output.held += text;
  }

  function end(index: number): void {
    const output = outputs[index];
    if (output !== undefined) output.ended = true;
    while (outputs[turn]?.ended === true) {
      turn += 1;
      const next = outputs[turn];
      if (next !== undefined && next.held !== "") print(next.held);
    }
  }
}
