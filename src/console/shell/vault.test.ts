import { expect, it, vi } from "vitest";
import { Vault } from "./vault.ts";

const text = "sk-gh-v1-notReallyAKey";

it("never shows its text", () => {
  const vault = new Vault(text);
  const inspect = Reflect.get(vault, Symbol.for("nodejs.util.inspect.custom")) as () => string;
  const views = [
    String(vault),
    JSON.stringify({ vault }),
    JSON.stringify(Object.entries(vault)),
    JSON.stringify(Object.assign({}, vault)),
    Reflect.ownKeys(vault).map(String).join(),
    inspect.call(vault),
  ];
  expect(views[0]).toBe("[secret]");
  for (const view of views) expect(view).not.toContain("notReally");
});

it("lends the text until it is destroyed", () => {
  const vault = new Vault(text);
  expect(vault.withValue((value) => value.length)).toBe(text.length);
  vault.destroy();
  expect(vault.destroyed).toBe(true);
  expect(vault.withValue(() => "used")).toBeNull();
});

it("tells once that it is gone", () => {
  const vault = new Vault(text);
  const told = vi.fn<() => void>();
  const stopped = vi.fn<() => void>();
  vault.onDestroy(told);
  vault.onDestroy(stopped)();
  vault.destroy();
  vault.destroy();
  expect(told).toHaveBeenCalledOnce();
  expect(stopped).not.toHaveBeenCalled();
});
