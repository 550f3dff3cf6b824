import { makePicture } from "#gateway/testing/pictures.ts";
import { paths } from "#console/paths.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { results, run, showInput } from "./playground-page.ts";

type Painted = { name: string; mimeType: string; buffer: Buffer };

async function paint(count: number): Promise<Painted[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `shade ${at + 1}.png`,
      mimeType: "image/png",
      buffer: await makePicture("png", 48, 32, (x) => [at * 20, x * 5, 255 - at * 20]),
    })),
  );
}

/** Drops or pastes files as a browser does. */
async function bring(page: Page, how: "drop" | "paste", files: readonly Painted[]): Promise<void> {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: buffer.toString("base64") }));
  await page.getByRole("region", { name: "Input" }).evaluate(
    (target, { kind, given }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, bytes } of given) {
        const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
        data.items.add(new File([content], name, { type: mimeType }));
      }
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: data })
          : new ClipboardEvent("paste", { ...options, clipboardData: data }),
      );
    },
    { kind: how, given: sent },
  );
}

test("playground pictures: chosen, dropped, pasted, joined and seen", async ({ signedIn: page, part }) => {
  await part("chosen, dropped and pasted ones are a vector each, until they are joined", async (workspace) => {
    const files = await paint(9);
    await page.goto(paths.playground(workspace.slug));
    // dropped on a text, they open where pictures are
    await expect(page.getByRole("textbox", { name: "Text" })).toBeVisible();
    await bring(page, "drop", files.slice(0, 3));
    const blocks = page.getByRole("list", { name: "Blocks" }).getByRole("listitem");
    await expect(blocks).toHaveCount(3);
    await bring(page, "paste", files.slice(3, 5));
    await expect(blocks).toHaveCount(5);
    await page
      .getByLabel("Choose images")
      .setInputFiles([
        ...files.slice(5),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") },
      ]);
    await expect(blocks).toHaveCount(9);
    await expect(page.getByRole("region", { name: "Input" }).getByRole("alert")).toHaveText(
      "notes.txt cannot be read as an image. PNG, JPEG and WebP work.",
    );
    await run(page, 9);

    await showInput(page);
    await page.getByRole("checkbox", { name: "Choose block 2" }).check();
    await page.getByRole("checkbox", { name: "Choose block 4" }).check();
    await page.getByRole("button", { name: "Join into one vector" }).click();
    await expect(blocks).toHaveCount(8);
    await run(page, 8);
    await page.getByRole("button", { name: "Block 2: shade 2.png shade 4.png", exact: true }).click();
    await page.getByRole("button", { name: "Split into 2 vectors" }).click();
    await expect(blocks).toHaveCount(9);
  });
  await part("every view shows the pictures themselves, and names them", async (workspace) => {
    await page.goto(`${paths.playground(workspace.slug)}?view=list`);
    await bring(page, "drop", await paint(6));
    await expect(page.getByRole("img", { name: "shade 6.png" })).toBeVisible();
    await run(page, 6);
    const rows = results(page).getByRole("list", { name: "Rows with vectors" }).getByRole("button");
    await expect(rows.locator("img")).toHaveCount(6);
    await results(page).getByRole("button", { name: "2 [image shade 2.png]", exact: true }).click();
    const near = results(page).getByRole("list", { name: "Nearest by cosine" }).getByRole("button");
    await expect(near.locator("img")).toHaveCount(5);
    await near.first().click();
    await expect(page.getByRole("region", { name: "Pinned pair" }).locator("img")).toHaveCount(2);
    await expect(
      page.getByRole("region", { name: "Pinned pair" }).getByRole("button", { name: /shade 2\.png/ }),
    ).toBeVisible();

    await results(page).getByRole("tab", { name: "Matrix" }).click();
    await expect(results(page).getByRole("grid", { name: "Similarities" })).toBeVisible();
    await expect(results(page).locator('[data-labels="rows"] img')).toHaveCount(6);

    await results(page).getByRole("tab", { name: "Map" }).click();
    const map = results(page).getByRole("application", { name: /^Map of 6 rows/ });
    await expect(map).toBeVisible();
    // the pictures' own blue, which no mark of the map has
    await expect
      .poll(() =>
        map.evaluate((element) => {
          const canvas = element as HTMLCanvasElement;
          const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          let found = 0;
          for (let at = 0; at < data.length; at += 4) {
            if ((data[at] ?? 0) < 10 && (data[at + 1] ?? 0) < 240 && (data[at + 2] ?? 0) > 250) found += 1;
          }
          return found;
        }),
      )
      .toBeGreaterThan(100);
  });
  await part("a run waits for those that are still being read", async (workspace) => {
    await page.addInitScript(() => {
      const read = globalThis.createImageBitmap;
      const { promise, resolve } = Promise.withResolvers<void>();
      addEventListener("read-on", () => resolve());
      let files = 0;
      globalThis.createImageBitmap = async (...given: [ImageBitmapSource]) => {
        files += 1;
        if (files > 2) await promise;
        return read(...given);
      };
    });
    await page.goto(paths.playground(workspace.slug));
    await expect(page.getByRole("textbox", { name: "Text" })).toBeVisible();
    await bring(page, "drop", await paint(4));
    await expect(page.getByRole("list", { name: "Blocks" }).getByRole("listitem")).toHaveCount(2);
    const button = page.getByRole("button", { name: "Run", exact: true });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAttribute("data-tip", "The images are being read");
    await page.evaluate(() => dispatchEvent(new Event("read-on")));
    await run(page, 4);
  });
});
