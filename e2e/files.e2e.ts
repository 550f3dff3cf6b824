import { listFiles } from "#contract/files.ts";
import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { chooseFromRow, expect, expectRow, expectToast, expectToFit, test } from "./fixtures.ts";

const long = "the-annual-report-of-the-european-freight-team-in-its-final-version-0001.csv";

test("files: uploaded, listed, refused, deleted and canceled", async ({ signedIn: page, part, api }) => {
  await part("uploaded, listed with what they use, named, refused and deleted", async (workspace) => {
    await page.goto(paths.files(workspace.slug));
    await expect(page.getByRole("heading", { name: `No files in ${workspace.name} yet` })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const choose = page.getByLabel("Upload a file");
    await choose.setInputFiles({ name: long, mimeType: "text/plain", buffer: Buffer.from("a,b\n1,2\n") });
    await expectToast(page, `${long} was uploaded.`);
    await expectRow(page, long, /^or_file_[0-9a-f]{32}/, "CSV", "8 B");
    await choose.setInputFiles({
      name: "large.pdf",
      mimeType: "",
      buffer: Buffer.concat([Buffer.from("%PDF-"), Buffer.alloc(3e6)]),
    });
    await expectToast(page, "large.pdf was uploaded.");
    await expectRow(page, "large.pdf", "PDF", "3 MB");
    await expect(page.getByRole("meter", { name: "Room for files" })).toHaveAttribute(
      "aria-valuetext",
      "3 MB of 1 GB used",
    );
    await expect(page.getByText("2 files of 10,000")).toBeVisible();

    // what is refused says why, and takes nothing away
    await choose.setInputFiles({
      name: "program.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]),
    });
    const refused = page.getByRole("alert").filter({ hasText: "program.pdf was not uploaded." });
    await expect(refused).toContainText("must be PDF, PNG, JPEG");
    await expectToFit(page);
    // all of a file's facts are in sight from a small laptop on
    await page.setViewportSize({ width: 1024, height: 900 });
    const table = page.getByRole("region", { name: /^Files, / });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await refused.getByRole("button", { name: "Dismiss" }).click();
    await expect(refused).toBeHidden();

    await chooseFromRow(page, "large.pdf", "Delete …");
    const dialog = page.getByRole("alertdialog", { name: "Delete large.pdf" });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete file" }).click();
    await expectToast(page, "large.pdf was deleted.");
    await expect(page.getByText("1 file of 10,000")).toBeVisible();
    const { data } = await api(listFiles, { query: { workspace_id: workspace.id } });
    expect(data.map(({ filename }) => filename)).toEqual([long]);
  });
  await part("an upload shows how far it is and can be canceled; one that breaks off says so", async (workspace) => {
    await page.goto(paths.files(workspace.slug));
    await expect(page.getByRole("heading", { name: `No files in ${workspace.name} yet` })).toBeVisible();
    await page.route("**/api/v1/files?**", async (route) => {
      // It is never answered.
      if (route.request().method() === "POST") return;
      await route.continue();
    });
    const choose = page.getByLabel("Upload a file");
    const file = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hello") };
    await choose.setInputFiles(file);
    await expect(page.getByRole("progressbar", { name: "Upload of a.txt" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Upload a file" })).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("progressbar")).toBeHidden();
    await page.unrouteAll();
    await page.route("**/api/v1/files?**", async (route) => {
      if (route.request().method() === "POST") return await route.abort();
      await route.continue();
    });
    await choose.setInputFiles(file);
    await expect(page.getByRole("alert").filter({ hasText: "a.txt was not uploaded." })).toBeVisible();
  });
});
