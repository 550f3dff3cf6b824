import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import assembler from "wabt";

it("matmul.wasm is what matmul.wat says", async () => {
  const file = async (name: string) => await readFile(new URL(name, import.meta.url));
  const { parseWat } = await assembler();
  const { buffer } = parseWat("matmul.wat", (await file("matmul.wat")).toString("utf8")).toBinary({});
  expect(Buffer.from(buffer).equals(await file("matmul.wasm"))).toBe(true);
});
