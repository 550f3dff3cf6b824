import { describe, expect, it } from "vitest";
import { tableOf } from "./example-tables.ts";
import { csvFile, jsonLines, npyFile } from "./export-file.ts";
import { readVectors } from "./read-vectors.ts";
import { viewOf } from "./vectors.ts";

const vectors = [
  [0.1, -2, 3e-8],
  [5, 6, 7],
];
const view = viewOf(tableOf(vectors));
const rows = [
  { number: 1, text: '=1+1, "quoted"\nin two lines', group: "a", role: "query", fields: { agent: "Ann", score: "3" } },
  { number: 2, text: "plain", group: "", role: "document", fields: { agent: "Bob", score: "" } },
];
const numbers = (data: Float32Array | undefined) => Array.from(data ?? [], (value) => Number(value.toPrecision(6)));
const named = (blob: Blob | string, name: string) => new File([blob], name);

/** Ids 7 and 8, a text, and a list of floats, Snappy-compressed: written by hyparquet-writer 0.17.0. */
const parquet = [
  "UEFSMRUGFRAVFFwVBBUAFQQVABUAFQAAAAgcBwAAAAgAAAAVBhU6FT5cFQQVABUEFQAVABUAAAAdcAoAAABhIHJlZCBkb29yCwAA",
  "AGEgYmx1ZSBkb29yFQYVKhUuXBUIFQAVBBUAFQYVBAAAAwoD/wAQPAAAAD8AAMC/AAAAQAAAgD4VBBlsSARyb290FQYAFQIlABgC",
  "aWQAFQwlABgEdGV4dCUAADUCGAZ2ZWN0b3IVAhUGADUEGARsaXN0FQIAFQglAhgHZWxlbWVudAAWBBkcGTwmCBwVAhkVABkYAmlk",
  "FQIWBBY6Fj4mCAAAJkYcFQwZFQAZGAR0ZXh0FQIWBBZkFmgmRgAAJq4BHBUIGRUAGTgGdmVjdG9yBGxpc3QHZWxlbWVudBUCFggW",
  "VBZYJq4BAAAW8gEWBDb+AQAoCWh5cGFycXVldBk8HAAAHAAAHAAAANEAAABQQVIx",
].join("");

describe("files of vectors", () => {
  it("are read as they were exported, as JSONL and as CSV, with roles, labels and further columns", async () => {
    const about = { model: "acme/embed" };
    const files = [named(jsonLines(view, rows, about), "x.jsonl"), named(csvFile(view, rows, true), "x.csv")];
    for (const [at, file] of files.entries()) {
      const found = await readVectors(file);
      expect(numbers(found?.table.data)).toEqual(vectors.flat());
      expect(found?.rows?.map(({ text, group, role }) => ({ text, group, role }))).toEqual(
        rows.map(({ text, group, role }) => ({ text, group, role })),
      );
      expect(found?.rows?.[0]?.fields).toEqual({ row: "1", agent: "Ann", score: "3" });
      expect(found?.model).toBe(at === 0 ? "acme/embed" : null);
    }
  });

  it("are NumPy tables of float32 or float64, which have no texts", async () => {
    const found = await readVectors(named(npyFile(view), "x.npy"));
    expect(found).toMatchObject({ rows: null, skipped: 0, table: { count: 2, dimensions: 3 } });
    expect(numbers(found?.table.data)).toEqual(vectors.flat());
    const bytes = Buffer.from(await npyFile(view).arrayBuffer());
    bytes.write("<i4", bytes.indexOf("<f4"));
    await expect(readVectors(new File([bytes], "x.npy"))).rejects.toThrow("no table of float32");
    await expect(readVectors(named("text", "x.npy"))).rejects.toThrow("not a NumPy file");
  });

  it("are Parquet with a column of lists", async () => {
    const found = await readVectors(new File([Uint8Array.from(Buffer.from(parquet, "base64"))], "x.parquet"));
    expect(numbers(found?.table.data)).toEqual([0.5, -1.5, 2, 0.25]);
    expect(found?.rows?.[1]).toMatchObject({ text: "a blue door", fields: { id: "8" } });
    await expect(readVectors(named("no", "x.parquet"))).rejects.toThrow("cannot be read as Parquet");
  });

  it("are refused in words where some bytes say that they are very many rows, or rows of nothing", async () => {
    for (const [shape, why] of [
      ["1000000000, 0", "no row with a whole vector"],
      ["9000000, 1", "9000000 rows, and the playground holds"],
    ] as const) {
      const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }\n`;
      const bytes = [Buffer.from("\x93NUMPY\x01\x00", "latin1"), Buffer.from([header.length, 0]), Buffer.from(header)];
      await expect(readVectors(new File([Buffer.concat(bytes)], "x.npy"))).rejects.toThrow(why);
    }
  });

  it("leave out rows without a whole vector", async () => {
    const lines = [
      { text: "a", v: [1, 2] },
      { text: "b", v: [1] },
      { text: "c" },
      { text: "d", v: [3, 4] },
      { text: "e", v: [1e39, 1] },
    ];
    const found = await readVectors(named(lines.map((line) => JSON.stringify(line)).join("\n"), "x.jsonl"));
    expect(found).toMatchObject({ skipped: 3, rows: [{ text: "a" }, { text: "d" }] });
  });

  it("are none where a file has texts alone", async () => {
    const texts = [
      named('{"text":"a","tags":["x","y"],"one":[1]}\n', "x.jsonl"),
      named("text,label\nvector of a,b\n", "x.csv"),
      named("id,embedding model\n1,x\n", "y.csv"),
      named("[1,2]\n", "x.txt"),
    ];
    for (const file of texts) expect(await readVectors(file)).toBeNull();
  });
});
