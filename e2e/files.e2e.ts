import { listFiles } from "#contract/files.ts";
import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { chooseFromRow, expect, expectNoSidewaysScroll, expectRow, expectToast, test } from "./fixtures.ts";

const long = "the-annual-report-of-the-european-freight-team-in-its-final-version-0001.csv";

test("files: uploaded, listed with what they use, named, refused and deleted", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  await page.goto(gateway.url + paths.files(workspace.slug));
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
  for (const width of [320, 390, 768, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page, `${width} px`);
    // all of a file's facts are in sight from a small laptop on
    if (width >= 1024) {
      const table = page.getByRole("region", { name: /^Files, / });
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    if (width === 320 || width === 1440) expect(await violations(page)).toEqual([]);
  }
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

test("files: an upload shows how far it is and can be canceled; one that breaks off says so", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  await page.goto(gateway.url + paths.files(workspace.slug));
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

test("files: a list that does not load can be read again, and all workspaces have none", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  await page.route("**/api/v1/files?**", (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(gateway.url + paths.files(workspace.slug));
  await expect(page.getByText("The files did not load")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: `No files in ${workspace.name} yet` })).toBeVisible();
  await page.goto(gateway.url + paths.files("all"));
  await expect(page.getByRole("heading", { name: "Files belong to one workspace" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await expect(page.getByRole("heading", { level: 1, name: "Files" })).toBeVisible();
});
