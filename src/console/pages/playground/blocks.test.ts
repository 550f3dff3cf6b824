import { describe, expect, it } from "vitest";
import {
  blockCaption,
  joinBlocks,
  makeBlock,
  makeText,
  remoteImage,
  splitBlock,
  withBlocks,
  type Block,
} from "./blocks.ts";

const picture = (name: string): Block => makeBlock([remoteImage(name)]);
const captions = (blocks: readonly Block[]) => blocks.map(blockCaption);

describe("the blocks of a multimodal input", () => {
  it("give a vector each, and take the place of one that is still empty", () => {
    const blocks = withBlocks(withBlocks([makeBlock()], [picture("a")]), [picture("b"), picture("c")]);
    expect(captions(blocks)).toEqual(["a", "b", "c"]);
    expect(captions(withBlocks([makeBlock([makeText("mine")])], [picture("a")]))).toEqual(["mine", "a"]);
  });

  it("are joined at the place of the first that was chosen, without what is empty", () => {
    const blocks = [picture("a"), picture("b"), makeBlock([makeText("c")]), makeBlock(), picture("e")];
    const ids = new Set([1, 2, 3].map((at) => blocks[at]?.id ?? 0));
    expect(captions(joinBlocks(blocks, ids))).toEqual(["a", "b, c", "e"]);
    expect(joinBlocks(blocks, new Set())).toEqual(blocks);
  });

  it("are split into their parts again", () => {
    const [a, b, c] = [picture("a"), picture("b"), picture("c")];
    const joined = joinBlocks([a, b, c], new Set([a.id, b.id]));
    const apart = splitBlock(joined, a.id);
    expect(captions(apart)).toEqual(["a", "b", "c"]);
    expect(new Set(apart.map(({ id }) => id)).size).toBe(3);
  });
});
