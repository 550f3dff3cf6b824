import { describe, expect, it } from "vitest";
import { refusal } from "./DeleteWorkspaceDialog.tsx";

describe("why a workspace can't be deleted", () => {
  it("is said of the default one, whatever it holds", () => {
    expect(refusal({ is_default: true, active_keys: 0, over_limit_keys: 0 })).toContain("default workspace");
    expect(refusal({ is_default: true, active_keys: 4, over_limit_keys: 0 })).toContain("default workspace");
  });

  it("counts the keys that are in the way, those over their limits too", () => {
    const held = (active_keys: number, over_limit_keys: number) =>
      refusal({ is_default: false, active_keys, over_limit_keys });
    expect(held(1, 0)).toBe("It still holds 1 active key. Delete or disable it first.");
    expect(held(3, 0)).toBe("It still holds 3 active keys. Delete or disable them first.");
    expect(held(0, 1)).toBe("It still holds 1 key over its limit. Delete or disable it first.");
    expect(held(2, 3)).toBe("It still holds 2 active keys and 3 keys over their limits. Delete or disable them first.");
  });

  it("is nothing for an empty one", () =>
    expect(refusal({ is_default: false, active_keys: 0, over_limit_keys: 0 })).toBeUndefined());
});
