import { listAudit } from "#contract/audit.ts";
import { createKey, getKey, updateKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { comeBack, expect, expectToast, type Page, test, enter, hold } from "./fixtures.ts";

/** The button that opens the entry about the key of this name. */
const entry = (page: Page, name: string) => page.getByRole("button", { name: `${name}, details` });

test("audit: changes are found, exported and reverted", async ({ signedIn: page, part, api }) => {
  await part("each change with before and after, and back again by its inverse", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "audited", limit: 5, workspace_id: workspace.id } });
    await api(updateKey, { params: { hash: key.hash }, body: { limit: 7 } });
    await page.goto(paths.audit(workspace.slug));
    // a click anywhere on a row opens it, and the button closes it
    await page
      .getByRole("row", { name: /Changed key audited/ })
      .getByText("127.0.0.1")
      .click();
    await expect(page.getByRole("row", { name: "limit $5.00 $7.00", exact: true })).toBeVisible();
    await entry(page, "Changed key audited").click();
    await expect(page.getByRole("row", { name: "limit $5.00 $7.00", exact: true })).toBeHidden();
    await entry(page, "Changed key audited").click();
    await expect(page.getByRole("row", { name: "limit $5.00 $7.00", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Revert this change" }).click();
    const question = page.getByRole("dialog", { name: "Revert audited?" });
    await expect(question).toContainText("limit: $7.00 goes back to $5.00");
    await question.getByRole("button", { name: "Revert the change" }).click();
    await expectToast(page, "audited was reverted.");
    expect((await api(getKey, { params: { hash: key.hash } })).data.limit).toBe(5);
  });
  await part("filters live in the address, and say when nothing passes them", async (workspace) => {
    const { data: one } = await api(createKey, { body: { name: "first-audited", workspace_id: workspace.id } });
    await api(createKey, { body: { name: "second-audited", workspace_id: workspace.id } });
    await page.goto(paths.audit(workspace.slug));
    await expect(entry(page, "second-audited")).toBeVisible();
    await page.getByRole("combobox", { name: "Action" }).fill("created key");
    await page.getByRole("option", { name: "Created key", exact: true }).click();
    await expect(page).toHaveURL(/action=createKeys/);
    await enter(page.getByRole("textbox", { name: "Target id" }), one.hash);
    await expect(page).toHaveURL(new RegExp(`target_id=${one.hash}`));
    await expect(entry(page, "first-audited")).toBeVisible();
    await expect(entry(page, "second-audited")).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("textbox", { name: "Target id" })).toHaveValue(one.hash);
    await expect(entry(page, "second-audited")).toHaveCount(0);
    await enter(page.getByRole("textbox", { name: "Who" }), "nobody");
    await expect(page.getByRole("heading", { name: "No change matches these filters" })).toBeVisible();
    await page
      .getByRole("status")
      .getByRole("button", { name: /^Clear filters/ })
      .click();
    await expect(entry(page, "second-audited")).toBeVisible();
  });
  await part("by request and by a stretch of time, both in the address", async (workspace) => {
    await api(createKey, { body: { name: "asked-first", workspace_id: workspace.id } });
    await api(createKey, { body: { name: "asked-second", workspace_id: workspace.id } });
    const { data } = await api(listAudit, { query: { workspace_id: workspace.id, action: "createKeys" } });
    const [second] = data;
    await page.goto(paths.audit(workspace.slug));
    await enter(page.getByRole("textbox", { name: "Request id" }), second?.request_id ?? "");
    await expect(page).toHaveURL(new RegExp(`request_id=${second?.request_id}`));
    await expect(entry(page, "asked-second")).toBeVisible();
    await expect(entry(page, "asked-first")).toHaveCount(0);
    await page.goto(`${paths.audit(workspace.slug)}?until=${encodeURIComponent(second?.at ?? "")}`);
    await expect(entry(page, "asked-first")).toBeVisible();
    await expect(entry(page, "asked-second")).toHaveCount(0);
    await enter(page.getByLabel("From, UTC"), "2001-01-01");
    await expect(page).toHaveURL(/since=2001-01-01T00/);
    await expect(entry(page, "asked-first")).toBeVisible();
  });
  await part("exported as CSV and as JSON lines, every entry of the filter", async (workspace) => {
    for (let index = 0; index < 3; index++) {
      await api(createKey, { body: { name: `exported-${index}`, workspace_id: workspace.id } });
    }
    const { data } = await api(listAudit, { query: { workspace_id: workspace.id } });
    await page.goto(paths.audit(workspace.slug));
    await expect(entry(page, "exported-2")).toBeVisible();
    const exported = async (format: string) => {
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const downloading = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: format }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8").trimEnd();
    };
    const csv = await exported("As CSV");
    expect(csv.split("\r\n")).toHaveLength(data.length + 1);
    for (const record of data) expect(csv).toContain(record.id);
    await expectToast(page, `Exported ${data.length} changes.`);
    const lines = await exported("As JSON Lines");
    expect(lines.split("\n").map((line) => JSON.parse(line) as unknown)).toEqual(data);
  });
});

test("audit: new entries are announced, and shown on request @long", async ({ signedIn: page, workspace, api }) => {
  await api(createKey, { body: { name: "before-looking", workspace_id: workspace.id } });
  await page.clock.install();
  await page.goto(paths.audit(workspace.slug));
  await expect(entry(page, "before-looking")).toBeVisible();
  await api(createKey, { body: { name: "while-looking", workspace_id: workspace.id } });
  const news = page.getByRole("status").filter({ hasText: "1 new" });
  // A look that is still under way when the clock jumps ends without an answer: then it is the one after that sees the key.
  let patienceMs = 1_500;
  await expect(async () => {
    await page.clock.fastForward(31_000);
    // twice as long each time: on a busy machine an answer takes a while
    await expect(news).toBeVisible({ timeout: (patienceMs *= 2) });
  }).toPass();
  await expect(entry(page, "while-looking")).toHaveCount(0);
  await news.getByRole("button", { name: "Show" }).click();
  await expect(entry(page, "while-looking")).toBeVisible();
  await expect(news).toHaveCount(0);
});

test("audit: what came during an outage is announced too @long", async ({ signedIn: page, workspace, api }) => {
  await api(createKey, { body: { name: "before-the-outage", workspace_id: workspace.id } });
  await page.goto(paths.audit(workspace.slug));
  await expect(entry(page, "before-the-outage")).toBeVisible();
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  const bar = page.getByRole("status").filter({ hasText: "The gateway cannot be reached." });
  await comeBack(page, () => bar.isVisible());
  await api(createKey, { body: { name: "during-the-outage", workspace_id: workspace.id } });
  await page.unroute("**/api/**");
  await expect(bar).toBeHidden();
  const news = page.getByRole("status").filter({ hasText: "1 new" });
  await expect(news).toBeVisible();
  await expect(entry(page, "during-the-outage")).toHaveCount(0);
  await news.getByRole("button", { name: "Show" }).click();
  await expect(entry(page, "during-the-outage")).toBeVisible();
});

test("audit: a late answer is spoken of after eight seconds @long", async ({ signedIn: page, workspace, api }) => {
  await api(createKey, { body: { name: "answered-late", workspace_id: workspace.id } });
  const answer = await hold(page, "**/api/v1/audit?**");
  await page.clock.install();
  await page.goto(paths.audit(workspace.slug));
  await expect(page.locator("main [aria-busy=true]").first()).toBeAttached();
  await page.clock.fastForward(8_000);
  const waiting = page.getByRole("status").filter({ hasText: "Still waiting for the gateway to answer." });
  await expect(waiting).toBeVisible();
  answer();
  await expect(entry(page, "Created key answered-late")).toBeVisible();
  await expect(waiting).toHaveCount(0);
});
