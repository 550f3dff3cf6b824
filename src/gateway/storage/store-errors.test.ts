import { describe, expect, it } from "vitest";
import { unreadableStore, unusableFolder } from "./store-errors.ts";

describe("what stops a start is said in words that help", () => {
  it.each([
    ["ENOSPC: no space left on device, mkdir", /Its disk is full: free some space/],
    ["EACCES: permission denied, mkdir", /a folder that this user may write to/],
  ])("a folder that fails with %s", (message, help) => {
    expect(unusableFolder("/data", new Error(message)).message).toMatch(help);
  });

  it("a store whose files end too early", () => {
    const { message } = unreadableStore("/data/store", new Error("Aborted(). Build with -sASSERTIONS for more info."));
    expect(message).toBe(
      "The store in /data/store cannot be read (its files are damaged or incomplete). Bring back a backup of the folder, or set GATEHOUSE_DATA_DIR to another one to start with an empty store.",
    );
  });
});
