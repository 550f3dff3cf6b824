import { afterEach, describe, expect, it } from "vitest";
import { clearToasts, dismissToast, liveToasts, subscribeToasts, toast } from "./toast.ts";

afterEach(clearToasts);

describe("toast", () => {
  it("stays longer when there is something to do", () => {
    toast({ message: "Key renamed" });
    toast({ message: "Key renamed", action: { label: "Undo", onSelect: () => {} } });
    expect(liveToasts().map((one) => one.lastsMs)).toEqual([6_000, 10_000]);
  });

  it("keeps the latest three", () => {
    for (const message of ["a", "b", "c", "d"]) toast({ message });
    expect(liveToasts().map((one) => one.message)).toEqual(["b", "c", "d"]);
  });

  it("goes by its own handle, by id, or with all others", () => {
    const first = toast({ message: "a" });
    toast({ message: "b" });
    first();
    expect(liveToasts().map((one) => one.message)).toEqual(["b"]);
    dismissToast(liveToasts()[0]?.id ?? -1);
    expect(liveToasts()).toEqual([]);
  });

  it("tells its listeners only of changes, and not after they left", () => {
    let heard = 0;
    const leave = subscribeToasts(() => {
      heard += 1;
    });
    const gone = toast({ message: "a" });
    gone();
    gone();
    clearToasts();
    expect(heard).toBe(2);
    leave();
    toast({ message: "b" });
    expect(heard).toBe(2);
  });
});
