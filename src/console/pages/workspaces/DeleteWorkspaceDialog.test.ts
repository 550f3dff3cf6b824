import { describe, expect, it } from "vitest";
import { refusal } from "./DeleteWorkspaceDialog.tsx";

describe("why a workspace can't be deleted", () => {
  it("is said of the default one, whatever it holds", () => {
    expect(refusal({ is_default: true, active_keys: 0 })).toContain("default workspace");
    expect(refusal({ is_default: true, active_keys: 4 })).toContain("default workspace");
  });

  it("counts the active keys that are in the way", () => {
    expect(refusal({ is_default: false, active_keys: 1 })).toContain("an active key");
    expect(refusal({ is_default: false, active_keys: 3 })).toContain("3 active keys");
  });

  it("is nothing for an empty one", () => {
    expect(refusal({ is_default: false, active_keys: 0 })).toBeUndefined();
  });
});
