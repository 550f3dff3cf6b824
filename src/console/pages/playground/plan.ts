/** One thing to embed: a text, or a block of texts and images that gives one joint vector. */
export type Input = string | { content: readonly unknown[] };

export interface Item {
  input: Input;
  /** estimated */
  tokens: number;
  /** what is sent as `input_type`; items of one call share it */
  inputType: string | null;
}

export interface Chunk {
  /** places in the list of items; of several alike, the first stands for all */
  items: number[];
  inputType: string | null;
}

export interface Plan {
  chunks: Chunk[];
  /** by the place of the first: where else its vector belongs */
  copies: ReadonlyMap<number, readonly number[]>;
}

/** Well under what vendors take in one call, so that a call that fails takes little with it. */
const mostInputs = 256;
const mostTokens = 100_000;

/** Cuts a batch into calls. Texts that are there more than once are sent once: the same text gives the same vector. */
export function planChunks(items: readonly Item[], wanted: readonly number[]): Plan {
  const chunks: Chunk[] = [];
  const copies = new Map<number, number[]>();
  const first = new Map<string, number>();
  const open = new Map<string | null, { chunk: Chunk; tokens: number }>();
  for (const place of wanted) {
    const item = items[place]!;
    const { inputType, tokens } = item;
    const key = `${inputType ?? ""}\n${typeof item.input === "string" ? item.input : JSON.stringify(item.input)}`;
    const earlier = first.get(key);
    if (earlier !== undefined) {
      copies.set(earlier, [...(copies.get(earlier) ?? []), place]);
      continue;
    }
    first.set(key, place);
    let filling = open.get(inputType);
    if (!filling || filling.chunk.items.length >= mostInputs || filling.tokens + tokens > mostTokens) {
      filling = { chunk: { items: [], inputType }, tokens: 0 };
      open.set(inputType, filling);
      chunks.push(filling.chunk);
    }
    filling.chunk.items.push(place);
    filling.tokens += tokens;
  }
  return { chunks, copies };
}
