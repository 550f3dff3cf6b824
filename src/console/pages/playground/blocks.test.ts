import { describe, expect, it } from "vitest";
import * as blocks from "./blocks.ts";
import { imageLabel } from "./image-labels.ts";

const { asSent, blockCaption, joinBlocks, makeBlock, makeText, remoteImage, splitBlock, withBlocks } = blocks;
const picture = (name: string) => makeBlock([remoteImage(name)]);
const captions = (some: readonly blocks.Block[]) => some.map(blockCaption).join("; ");

describe("the blocks of a multimodal input", () => {
  it("give a vector each in place of an empty one, are joined at the first that was chosen, and split again", () => {
    const three = withBlocks(withBlocks([makeBlock()], [picture("a")]), [picture("b"), picture("c")]);
    expect(captions(three)).toBe("a; b; c");
    expect(captions(withBlocks([makeBlock([makeText("mine")])], [picture("a")]))).toBe("mine; a");
    const five = [picture("a"), picture("b"), makeBlock([makeText("c")]), makeBlock(), picture("e")];
    const ids = new Set(five.slice(1, 4).map(({ id }) => id));
    expect(captions(joinBlocks(five, ids))).toBe("a; b, c; e");
    expect(joinBlocks(five, new Set())).toEqual(five);
    const [a, b, c] = [picture("a"), picture("b"), picture("c")];
    const apart = splitBlock(joinBlocks([a, b, c], new Set([a.id, b.id])), a.id);
    expect(captions(apart)).toBe("a; b; c");
    expect(new Set(apart.map(({ id }) => id)).size).toBe(3);
  });
});

describe("a picture that may be made smaller", () => {
  const file = (bytes: number, width: number, type = "image/png"): blocks.ImageFile => {
    return { url: `data:${type};base64,${bytes}`, type, width, height: 900, bytes };
  };
  const reducible = (whole: blocks.ImageFile, reduced: blocks.ImageFile) => {
    return { ...remoteImage(whole.url), whole, reduced };
  };

  it("is sent as whichever has fewer bytes, and says so", () => {
    const grown = asSent(reducible(file(60_000, 1_440), file(67_000, 1_024)), true);
    expect(grown.url).toBe(grown.whole?.url);
    const words = "PNG, 1,440 × 900, 60 kB, sent with the call as it is: at 1,024 px it would be 67 kB";
    expect(imageLabel(grown, true)).toBe(words);
    const shrunk = asSent(reducible(file(900_000, 4_000, "image/jpeg"), file(80_000, 1_024, "image/jpeg")), true);
    expect(shrunk.url).toBe(shrunk.reduced?.url);
    expect(imageLabel(shrunk, true)).toBe("JPEG, 1,024 × 900, 900 kB made 80 kB");
  });

  it("goes back to what was chosen when that is switched off, and stays an address where it is one", () => {
    const whole = asSent(asSent(reducible(file(900_000, 4_000), file(80_000, 1_024)), true), false);
    expect(whole.url).toBe(whole.whole?.url);
    expect(imageLabel(whole, false)).toContain("900 kB, sent with the call; at 1,024 px it would be 80 kB");
    const remote = asSent(remoteImage("https://example.com/a.png"), true);
    expect(remote.url).toBe("https://example.com/a.png");
    expect(imageLabel(remote, true)).toContain("Not previewed");
  });
});
