import { expect, it } from "vitest";
import { said } from "./choose-columns.ts";
import { guessFormat, parseRows } from "./parse-rows.ts";

const read = async (text: string, columns = {}) => await parseRows(text, guessFormat(text, ""), columns);

it("takes the column that holds prose for the text, not the first", async () => {
  const found = await read(
    "id,ticket_text,category,agent\n10001,The parcel was left in the rain,shipping,Ann Li\n10002,I cannot log in any more,login,Bo Berg\n",
  );
  expect(found).toMatchObject({ text: "ticket_text", group: "category", id: "id", role: "", headed: true });
  expect(found.rows[0]).toMatchObject({ text: "The parcel was left in the rain", group: "shipping", id: "10001" });
});

it("prefers a column with the name of a text, unless another has much more words", async () => {
  const short = "title,notes\nRain,wet\nSun shines,dry\n";
  expect((await read(short)).text).toBe("title");
  const long = "title,notes\nRain,It rained all day and the parcel was wet\nSun,The parcel was dry as it had to be\n";
  expect((await read(long)).text).toBe("notes");
  expect((await read(long, { text: "title" })).text).toBe("title");
});

it("reads roles and ids back from what an export has", async () => {
  const found = await read("row,text,group,role\n1,where is my parcel,d2,query\n2,Parcels come by noon,a,document\n");
  expect(found).toMatchObject({ role: "role", id: "row" });
  expect(found.rows.map(({ role }) => role)).toEqual(["query", "document"]);
  // a column of that name that holds something else is none
  expect((await read("text,role\nOne fine day,admin\nAnother day,owner\n")).role).toBe("");
});

it("knows a table by its numbers or by semicolons, and leaves prose with commas alone", async () => {
  expect(await read("review,stars\nVery good shoes,5\nThey fell apart,1\n")).toMatchObject({
    text: "review",
    headed: true,
  });
  expect(await read("text;label\nGuten Tag, Herr Li;a\nAuf Wiedersehen;b\n")).toMatchObject({
    text: "text",
    group: "label",
  });
  expect(guessFormat("Hello, world\nGood bye, moon\n", "")).toBe("lines");
  expect(guessFormat("To be; or not to be\nthat is; the question\n", "")).toBe("lines");
});

it.each([
  [7n, "7"],
  [[1n, { of: 2n }], '["1",{"of":"2"}]'],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [new Date(Number.NaN), ""],
  [null, ""],
])("shows what a Parquet file holds as a text: %o", (value, text) => {
  expect(said(value)).toBe(text);
});
