import { expect, it, vi } from "vitest";
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
  const writing = vi.spyOn(JSON, "stringify");
  const restored = await aside.restore(json, takeTurns("key"));
  // The text is in two places, and written once.
  expect(writing.mock.calls.length).toBeLessThan((long.length / 65_536) * 1.5);
  writing.mockRestore();
  expect(JSON.parse(restored.toString())).toEqual(value);
});
