import { expect, it, vi } from "vitest";
import { Vault } from "./vault.ts";

const text = "sk-gh-v1-notReallyAKey";

it("never shows its text", () => {
  const vault = new Vault(text);
  const inspect = Reflect.get(vault, Symbol.for("nodejs.util.inspect.custom")) as () => string;
  const views = [String(vault), Reflect.ownKeys(vault).map(String).join(), inspect.call(vault)];
  const written = [{ vault }, Object.entries(vault), Object.assign({}, vault)].map((view) => JSON.stringify(view));
  expect(views[0]).toBe("[secret]");
  for (const view of [...views, ...written]) expect(view).not.toContain("notReally");
});

it("lends the text until it is destroyed, and tells once that it is gone", () => {
  const vault = new Vault(text);
  const [told, stopped] = [vi.fn<() => void>(), vi.fn<() => void>()];
  vault.onDestroy(told);
  vault.onDestroy(stopped)();
  expect(vault.withValue((value) => value.length)).toBe(text.length);
  vault.destroy();
  vault.destroy();
  expect([vault.destroyed, vault.withValue(() => "used")]).toEqual([true, null]);
  expect(told).toHaveBeenCalledOnce();
  expect(stopped).not.toHaveBeenCalled();
});
