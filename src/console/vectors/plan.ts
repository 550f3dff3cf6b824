/** One thing to embed: a text, or a block of texts and images that gives one joint vector. */
export type Input = string | { content: readonly unknown[] };

export interface Item {
  input: Input;
  /** estimated */
  tokens: number;
  /** what is sent as `input_type`; items of one call share it */
  inputType: string | null;
}

/** The words of an input: its text, or the texts in its block. */
export function textOfInput(input: Input | undefined): string {
  if (typeof input !== "object") return input ?? "";
  return input.content.map((part) => (part as { text?: string }).text ?? "").join(" ");
}

export interface Chunk {
  /** positions in the list of items; of equal items, the first represents all */
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
/** Under what the gateway takes in one body, and few enough that some calls with pictures can be under way at once. */
const mostBytes = 8_000_000;

const contents = ({ input }: Item) => (typeof input === "string" ? input : JSON.stringify(input));

/**
 * Splits a batch into calls. Equal texts are sent once: the same text gives the same vector.
 * @param keyOf what makes two inputs the same
 */
export function planChunks(
  items: readonly Item[],
  wanted: readonly number[],
  keyOf: (item: Item) => unknown = contents,
): Plan {
  const chunks: Chunk[] = [];
  const copies = new Map<number, number[]>();
  const first = new Map<string | null, Map<unknown, number>>();
  const open = new Map<string | null, { chunk: Chunk; tokens: number; bytes: number }>();
  for (const place of wanted) {
    const item = items[place];
    if (!item) continue;
    const { inputType, tokens } = item;
    const key = keyOf(item);
    const seen = first.get(inputType) ?? new Map<unknown, number>();
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      const others = copies.get(earlier);
      if (others) others.push(place);
      else copies.set(earlier, [place]);
      continue;
    }
    seen.set(key, place);
    first.set(inputType, seen);
    const bytes = bytesIn(item.input);
    let filling = open.get(inputType);
    if (
      !filling ||
      filling.chunk.items.length >= mostInputs ||
      filling.tokens + tokens > mostTokens ||
      filling.bytes + bytes > mostBytes
    ) {
      filling = { chunk: { items: [], inputType }, tokens: 0, bytes: 0 };
      open.set(inputType, filling);
      chunks.push(filling.chunk);
    }
    filling.chunk.items.push(place);
    filling.tokens += tokens;
    filling.bytes += bytes;
  }
  return { chunks, copies };
}

/** About the bytes of an input in a body; asked at every key press, so nothing is written out for it. */
function bytesIn(input: Input): number {
  if (typeof input === "string") return input.length;
  return (input.content as { text?: string; image_url?: { url: string } }[]).reduce(
    (sum, { text, image_url: image }) => sum + (text ?? image?.url ?? "").length,
    0,
  );
}
