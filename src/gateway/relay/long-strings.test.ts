import { expect, it } from "vitest";
import { takeTurns } from "../turns.ts";
import { setAside } from "./long-strings.ts";

it("sets aside all long strings but those that a dialect may parse, and puts them back", async () => {
  const long = 'x\n"'.repeat(1_000_000);
  const parsed = "a".repeat(100_000);
  const value = { arguments: long, calls: [{ arguments: parsed }, { arguments: { text: long } }] };
  const aside = setAside(value);
  expect(aside.value.calls[0]).toEqual({ arguments: parsed });
  const json = JSON.stringify(aside.value);
  expect(json.length).toBeLessThan(parsed.length + 1_000);
  const restored = await aside.restore(json, takeTurns("key"));
  expect(JSON.parse(restored.toString())).toEqual(value);
});
