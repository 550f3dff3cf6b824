import { describe, expect, it } from "vitest";
import { parseRows } from "../../vectors/parse-rows.ts";
import { makeRow } from "./rows.ts";
import { readAgain, pasteRows } from "./pasted-rows.ts";

const csv = "text,answer,label\nask one,say one,a\nask two,say two,b\nask three,say three,a\n";
const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text);

async function pasted() {
  const { rows, taken } = pasteRows(await parseRows(csv, "csv"));
  return { rows: [makeRow("mine one"), ...rows, makeRow("mine two", "own", "query")], taken };
}

describe("a paste that is read by another column", () => {
  it("leaves the rows around it as they are", async () => {
    const { rows, taken } = await pasted();
    const again = readAgain(rows, taken, await parseRows(csv, "csv", { text: "answer", group: "label" }));
    expect(texts(again.rows)).toEqual(["mine one", "say one", "say two", "say three", "mine two"]);
    expect(again.rows.at(-1)).toMatchObject({ group: "own", role: "query" });
  });

  it("keeps what was edited, labelled, asked as a query and removed meanwhile", async () => {
    const { rows, taken } = await pasted();
    const [own, one, two, , last] = rows;
    if (!own || !one || !two || !last) throw new Error("The paste has three rows");
    const edited = [own, { ...one, text: "ask one, edited" }, { ...two, group: "c", role: "query" as const }, last];
    const again = readAgain(edited, taken, await parseRows(csv, "csv", { text: "answer", group: "" }));
    expect(again.rows.map(({ text, group, role }) => [text, group, role])).toEqual([
      ["mine one", "", "document"],
      ["ask one, edited", "", "document"],
      ["say two", "c", "query"],
      ["mine two", "own", "query"],
    ]);
    // and once more: an edit is not taken for what was read
    const back = readAgain(again.rows, again.taken, await parseRows(csv, "csv"));
    expect(texts(back.rows)).toEqual(["mine one", "ask one, edited", "ask two", "mine two"]);
  });

  it("is put in anew, in its place, where it comes to another number of rows", async () => {
    const { rows, taken } = await pasted();
    const again = readAgain(rows, taken, await parseRows(csv, "lines"));
    expect(texts(again.rows)).toEqual(["mine one", ...csv.trim().split("\n"), "mine two"]);
    expect(again.taken.ids).toHaveLength(4);
  });
});
