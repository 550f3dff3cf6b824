import { readFile } from "node:fs/promises";
import { parse as parseNpy } from "npyjs";
import Papa from "papaparse";
import { paths } from "#console/paths.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { openBatch, run } from "./playground-page.ts";

const texts = [
  'a "quoted" text, with a comma',
  "=SUM(A1) is no formula here",
  "größe, naïve, 東京",
  "container held at customs",
  "customs holds the container",
];

async function save(page: Page, item: string): Promise<Buffer> {
  await page.getByRole("button", { name: "Export" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: item }).click();
  return readFile(await (await saving).path());
}

test("playground: files that other programs read, and that it reads", async ({ signedIn: page, part }) => {
  await part("other programs read every file that is exported, and find the same numbers", async (workspace) => {
    await openBatch(
      page,
      `${paths.playground(workspace.slug)}?view=matrix&model=gatehouse%2Flexical&dimensions=32`,
      texts.join("\n"),
    );
    const answers: number[][] = [];
    page.context().on("response", (response) => {
      if (!response.url().endsWith("/api/v1/embeddings")) return;
      void response.json().then((body: { data: { embedding: string }[] }) => {
        for (const { embedding } of body.data) {
          const bytes = Buffer.from(embedding, "base64");
          answers.push(Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4)));
        }
      });
    });
    await run(page, 5);
    await expect.poll(() => answers.length).toBe(5);

    const array = parseNpy(new Uint8Array(await save(page, "NumPy (.npy)")).buffer);
    expect([array.shape, array.dtype, array.fortranOrder]).toEqual([[5, 32], "f4", false]);
    expect([...(array.data as Float32Array)]).toEqual(answers.flat());

    const csv = Papa.parse<Record<string, string>>((await save(page, "CSV with vectors")).toString("utf8"), {
      header: true,
      skipEmptyLines: true,
    });
    expect(csv.errors).toEqual([]);
    // a text that a spreadsheet would run has an apostrophe before it
    expect(csv.data.map(({ text }) => text?.replace(/^'=/, "="))).toEqual(texts);
    const numbers = csv.data.map((row) => Array.from({ length: 32 }, (_, at) => Math.fround(Number(row[`v${at}`]))));
    expect(numbers).toEqual(answers);

    const json = (await save(page, "JSONL with vectors")).toString("utf8").trim().split("\n");
    const records = json.map((line) => JSON.parse(line) as { text: string; embedding: number[] });
    expect(records.map(({ text }) => text)).toEqual(texts);
    expect(records.map(({ embedding }) => embedding.map(Math.fround))).toEqual(answers);

    for (const view of ["Matrix", "Map"]) {
      await page.getByRole("tab", { name: view }).click();
      await (view === "Map" ? page.getByRole("application") : page.getByText("Closest pairs")).waitFor();
      for (const [item, type] of [
        ["Image (PNG)", "image/png"],
        ["Image (SVG)", "image/svg+xml"],
      ] as const) {
        const url = `data:${type};base64,${(await save(page, item)).toString("base64")}`;
        // the browser's own decoder: it gives a size, and more than one color
        const seen = await page.evaluate(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
          const context = canvas.getContext("2d");
          context?.drawImage(image, 0, 0);
          const pixels = new Uint32Array(context?.getImageData(0, 0, canvas.width, canvas.height).data.buffer ?? []);
          return { width: image.naturalWidth, colours: new Set(pixels).size };
        }, url);
        expect(seen.width, `${view} ${item}`).toBeGreaterThanOrEqual(100);
        expect(seen.colours, `${view} ${item}`).toBeGreaterThan(3);
      }
    }
  });
  await part("a file that is no text changes nothing and says why; JSON is its elements", async (workspace) => {
    await openBatch(page, paths.playground(workspace.slug), "a precious row\nanother one");
    const rows = page.getByRole("status").filter({ hasText: /rows?,/ });
    await expect(rows).toContainText("2 rows");
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel("A file of texts").setInputFiles({ name, mimeType: "text/plain", buffer });
    for (const [name, buffer, said] of [
      ["latin.txt", Buffer.from("café\nüber", "latin1"), "latin.txt is not UTF-8 text."],
      ["picture.txt", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "picture.txt is not UTF-8 text."],
      ["empty.txt", Buffer.alloc(0), "empty.txt is empty."],
      ["blank.txt", Buffer.from("\n\n\n"), "blank.txt contains no text."],
    ] as const) {
      await choose(name, buffer);
      await expect(page.getByRole("alert").filter({ hasText: said })).toBeVisible();
      await expect(rows).toContainText("2 rows");
    }
    await choose("texts.json", Buffer.from('["one", "two", "three"]'));
    await expect(rows).toContainText("3 rows");
    await expect(page.getByRole("alert").filter({ hasText: ".txt" })).toHaveCount(0);
  });
});
