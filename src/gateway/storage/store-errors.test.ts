import { describe, expect, it } from "vitest";
import { unreadableStore } from "./store-errors.ts";

const aborted = new Error("Aborted(). Build with -sASSERTIONS for more info.");

describe("a store that cannot be opened", () => {
  it("is not called damaged where its disk is full, whatever the engine says", () => {
    for (const cause of [aborted, new Error("PGlite failed to initialize properly")]) {
      const { message } = unreadableStore("/data/store", cause, 4_096);
      expect(message).toBe(
        "The store in /data/store cannot be opened: 4 kB are left on its disk. Its disk is full: free some space, then start again.",
      );
    }
  });

  it("is called damaged where there is room, with what would help", () => {
    const damaged =
      /^The store in \/data\/store cannot be read \(its files are damaged or incomplete\)\. Restore a backup/;
    expect(unreadableStore("/data/store", aborted, 1e9).message).toMatch(damaged);
    expect(unreadableStore("/data/store", aborted, null).message).toMatch(damaged);
  });
});
