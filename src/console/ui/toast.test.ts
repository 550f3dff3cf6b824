import { afterEach, expect, it } from "vitest";
import { clearToasts, dismissToast, liveToasts, subscribeToasts, toast } from "./toast.ts";

afterEach(clearToasts);
const messages = () => liveToasts().map((one) => one.message);

it("a toast stays longer when there is something to do", () => {
  toast({ message: "Key renamed" });
  toast({ message: "Key renamed", action: { label: "Undo", onSelect: () => {} } });
  expect(liveToasts().map((one) => one.lastsMs)).toEqual([6_000, 10_000]);
});

it("the latest three are kept, and go by their own handle, by id, or with all others", () => {
  const [, , third] = ["a", "b", "c", "d"].map((message) => toast({ message }));
  expect(messages()).toEqual(["b", "c", "d"]);
  third?.();
  expect(messages()).toEqual(["b", "d"]);
  dismissToast(liveToasts()[0]?.id ?? -1);
  expect(messages()).toEqual(["d"]);
  clearToasts();
  expect(messages()).toEqual([]);
});

it("listeners are told only of changes, and not after they left", () => {
  let heard = 0;
  const leave = subscribeToasts(() => void (heard += 1));
  const gone = toast({ message: "a" });
  gone();
  gone();
  clearToasts();
  expect(heard).toBe(2);
  leave();
  toast({ message: "b" });
  expect(heard).toBe(2);
});
