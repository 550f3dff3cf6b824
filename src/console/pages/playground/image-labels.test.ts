import { describe, expect, it } from "vitest";
import { asSent, remoteImage, type ImageFile } from "./blocks.ts";
import { imageLabel } from "./image-labels.ts";

const file = (bytes: number, width: number, type = "image/png"): ImageFile => ({
  url: `data:${type};base64,${bytes}`,
  type,
  width,
  height: 900,
  bytes,
});
const picture = (whole: ImageFile, reduced: ImageFile | null) => ({ ...remoteImage(whole.url), whole, reduced });

describe("a picture that may be made smaller", () => {
  it("is sent as whichever has fewer bytes, and says so", () => {
    const grown = asSent(picture(file(60_000, 1_440), file(67_000, 1_024)), true);
    expect(grown.url).toBe(grown.whole?.url);
    expect(imageLabel(grown, true)).toBe(
      "PNG, 1,440 × 900, 60 kB, sent with the call as it is: at 1,024 px it would be 67 kB",
    );
    const shrunk = asSent(picture(file(900_000, 4_000, "image/jpeg"), file(80_000, 1_024, "image/jpeg")), true);
    expect(shrunk.url).toBe(shrunk.reduced?.url);
    expect(imageLabel(shrunk, true)).toBe("JPEG, 1,024 × 900, 900 kB made 80 kB");
  });

  it("goes back to what was chosen when that is switched off", () => {
    const shrunk = asSent(picture(file(900_000, 4_000), file(80_000, 1_024)), true);
    const whole = asSent(shrunk, false);
    expect(whole.url).toBe(whole.whole?.url);
    expect(imageLabel(whole, false)).toContain("900 kB, sent with the call; at 1,024 px it would be 80 kB");
  });

  it("stays an address where it is one", () => {
    const remote = asSent(remoteImage("https://example.com/a.png"), true);
    expect(remote.url).toBe("https://example.com/a.png");
    expect(imageLabel(remote, true)).toContain("Not previewed");
  });
});
