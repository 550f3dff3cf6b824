import { listKeys, updateKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { expect, type Page, test, expectTexts } from "./fixtures.ts";
import { addProvider } from "./provider.ts";
import { clearExample, openBatch, paste, results, run, showInput } from "./playground-page.ts";

const texts = ["container held at customs", "customs holds the container", "the invoice is wrong"];
const calls = "**/api/v1/embeddings";

/** Answers every call of the playground as a failing gateway would. */
async function refuse(page: Page, status: number, metadata: object, headers: Record<string, string> = {}) {
  await page.context().route(calls, (route) =>
    route.fulfill({
      status,
      headers: { "x-request-id": "req-0f8b1c", ...headers },
      json: { error: { code: status, message: `The gateway was told to answer ${status}`, metadata } },
    }),
  );
}

test("playground states: all is there until signing out", async ({ signedIn: page, part, gateway }) => {
  await part("all is there until signing out", async (workspace) => {
    const prefix = "passage about ACME: ";
    await openBatch(
      page,
      `${paths.playground(workspace.slug)}?model=gatehouse%2Flexical&dimensions=32&view=matrix`,
      texts,
    );
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByLabel("Put before each document").fill(prefix);
    await page.getByRole("button", { name: "Done" }).click();
    const sent: string[] = [];
    page.context().on("request", (request) => {
      if (request.url().endsWith("/api/v1/embeddings")) sent.push(request.postData() ?? "");
    });
    await run(page, 3);
    await expect.poll(() => sent.join()).toContain(`${prefix}${texts[0]}`);
    await showInput(page);
    await expect(page.getByText(/of \$10\.00, monthly, spent with/)).toBeVisible();

    const sidebar = page.getByRole("navigation");
    await sidebar.getByRole("link", { name: "Providers" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
    await sidebar.getByRole("link", { name: "Playground" }).click();
    await expect(page).toHaveURL(/dimensions=32/);
    expect(page.url()).not.toContain("ACME");
    await expect(page.getByText("3 / 3 rows")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Row 2", exact: true })).toHaveValue(texts[1] ?? "");
    await results(page).getByRole("tab", { name: "List" }).click();
    await results(page)
      .getByRole("button", { name: `1 ${texts[0]}` })
      .click();
    await expect(results(page).getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem")).toHaveCount(2);

    // closing the tab would lose what was paid for, so the browser asks; also on another page
    await sidebar.getByRole("link", { name: "Providers" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();

    await page.getByRole("button", { name: /account/i }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Management key").fill(gateway.managementKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await sidebar.getByRole("link", { name: "Playground" }).click();
    await expect(
      page.getByRole("heading", { name: "Six topics, found without labels. Type a sentence." }),
    ).toBeVisible();
    await page.getByRole("tab", { name: /^Batch/ }).click();
    await expect(page.getByRole("textbox", { name: "Row 1", exact: true })).toHaveValue("");
  });
  await part("a run goes on while another page is looked at, and can be let go of", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), texts);
    const gate = Promise.withResolvers<void>();
    await page.context().route(calls, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await run(page);
    await expect(results(page).getByRole("heading", { name: "No vectors yet" })).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Providers" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
    gate.resolve();
    await page.getByRole("navigation").getByRole("link", { name: "Playground" }).click();
    await expect(page.getByText("3 / 3 rows")).toBeVisible();

    await results(page).getByRole("button", { name: "Discard run 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await expect(results(page).getByRole("heading", { name: "3 rows ready" })).toBeVisible();
    await showInput(page);
    await expect(page.getByRole("textbox", { name: "Row 1", exact: true })).toHaveValue(texts[0] ?? "");
  });
  await part("a pause that was asked for is counted down, and Escape ends it", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), texts);
    await refuse(page, 429, { error_type: "rate_limit_exceeded" }, { "retry-after": "600" });
    await run(page);
    const notice = results(page).getByText(/^Slow down, trying again in \d+ s/);
    const left = async () => Number(/\d+(?= s)/.exec(await notice.innerText())?.[0]);
    const first = await left();
    expect(first).toBeLessThanOrEqual(600);
    await expect.poll(left).toBeLessThan(first);
    await expect(page.getByRole("button", { name: /^Run/ })).toHaveAttribute("aria-disabled", "true");
    await showInput(page);
    await page.getByRole("textbox", { name: "Row 1", exact: true }).focus();
    await page.keyboard.press("Escape");
    await expect(results(page).getByText("0 / 3 cancelled")).toBeVisible();
    await expect(results(page).getByText("They appear as they arrive.")).toBeHidden();
  });
  await part("a session that ended is signed in to again, and the run goes on with the new one", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), texts);
    // once the run is under way: any other read would have the dialog open before
    await page.context().route(calls, async (route) => {
      await page.context().clearCookies();
      await route.continue();
    });
    await run(page);
    const again = page.getByRole("dialog", { name: "Your session ended" });
    await again.getByLabel("Management key").fill(gateway.managementKey);
    await again.getByRole("button", { name: "Sign in" }).click();
    await expect(again).toBeHidden();
    await expect(results(page).getByRole("alert")).toContainText("HTTP 401");
    await page.context().unrouteAll({ behavior: "wait" });
    await results(page).getByRole("button", { name: "Retry failed" }).click();
    await expect(page.getByText("3 / 3 rows")).toBeVisible();
  });
});

test("playground states: what failed is named, with a way out", async ({ signedIn: page, part, gateway, api }) => {
  await part("one overloaded provider, then others are allowed to answer", async (workspace) => {
    await openBatch(page, `${paths.playground(workspace.slug)}?fallbacks=false`, texts);
    await refuse(page, 529, { provider_name: "Acme" }, { "retry-after": "0" });
    await run(page);
    const alert = results(page).getByRole("alert");
    await expectTexts(
      alert,
      "Acme is overloaded.",
      "3 of 3 rows failed",
      "“The gateway was told to answer 529”",
      "HTTP 529",
    );
    await expect(alert.getByRole("button", { name: "Copy the request id" })).toBeVisible();
    await expect(results(page).getByText("They appear as they arrive.")).toBeHidden();
    await page.context().unrouteAll({ behavior: "wait" });
    const asked = page.context().waitForEvent("request", (request) => request.url().endsWith("/api/v1/embeddings"));
    await alert.getByRole("button", { name: "Allow fallbacks and retry" }).click();
    expect((await asked).postData()).not.toContain("allow_fallbacks");
    await expect(page.getByText("3 / 3 rows")).toBeVisible();
    expect(page.url()).not.toContain("fallbacks");
  });
  await part("what ran out, what is not there and what is off are named, with the way to it", async (workspace) => {
    const slug = `paid-${workspace.slug.slice(-6)}`;
    await addProvider(api, {
      slug,
      name: "Paid",
      base_url: "http://127.0.0.1:9/v1",
      models: [{ id: `${slug}/embed`, upstream_id: "e", type: "embedding", pricing: { prompt: "0.01" } }],
    });
    const address = gateway.url + paths.playground(workspace.slug);
    await openBatch(page, address, texts);
    await run(page, 3);
    const { data } = await api(listKeys, { query: { workspace_id: workspace.id } });
    const hash = data[0]?.hash ?? "";

    await api(updateKey, { params: { hash }, body: { limit: 0 } });
    await openBatch(page, `${address}?model=${slug}/embed&ceiling=1000`, texts);
    await run(page);
    const alert = results(page).getByRole("alert");
    await expect(alert).toContainText("Out of credits. The playground’s key of this workspace has reached its limit.");
    await expect(alert).toContainText("HTTP 402");
    await alert.getByRole("link", { name: "Raise the key’s limit" }).click();
    await expect(page.getByRole("main").getByRole("link", { name: "Playground", exact: true })).toBeVisible();

    await openBatch(page, `${address}?model=nobody/none`, texts);
    await run(page);
    await expect(alert).toContainText("nobody/none is not an embedding model.");
    await expect(alert.getByRole("link", { name: "See the models" })).toBeVisible();

    await api(updateKey, { params: { hash }, body: { disabled: true } });
    await openBatch(page, address, texts);
    await run(page);
    await expect(alert).toContainText("The playground’s key cannot be used.");
    // the session is as good as before: nobody is asked to sign in again
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await alert.getByRole("link", { name: "See the key" }).click();
    await expect(page.getByRole("main").getByRole("link", { name: "Playground", exact: true })).toBeVisible();
  });
  await part("the way out of the routing dialog is in sight on any screen", async (workspace) => {
    await page.goto(paths.playground(workspace.slug));
    for (const [width, height] of [
      [1440, 900],
      [390, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole("button", { name: /^Routing/ }).click();
      await expect(page.getByRole("button", { name: "Done" })).toBeInViewport({ ratio: 1 });
      await page.getByLabel("Put before each document").scrollIntoViewIfNeeded();
      await expect(page.getByRole("button", { name: "Done" })).toBeInViewport({ ratio: 1 });
      await page.getByRole("button", { name: "Done" }).click();
    }
  });
  await part("nothing runs past the edge, or over something else, at any width", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), texts);
    await run(page, 3);
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const message = `at ${width} px`;
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message })
        .toBeLessThanOrEqual(0);
      const room = async () => {
        const button = await page.getByRole("button", { name: /^Run/ }).boundingBox();
        const tabs = await page.getByRole("tablist", { name: "View" }).boundingBox();
        return (tabs?.y ?? 0) - ((button?.y ?? 0) + (button?.height ?? 0));
      };
      await expect.poll(room, { message }).toBeGreaterThanOrEqual(0);
    }
  });
});

test("playground states: no violation in any of them, in either theme @long", async ({ signedIn: page, workspace }) => {
  const look = async (name: string) => expect(await violations(page), name).toEqual([]);
  await page.goto(paths.playground(workspace.slug));
  await expect(page.getByRole("application", { name: /^Map of 120 rows/ })).toBeVisible();
  await look("example");
  await clearExample(page);
  await look("empty");
  await page.getByRole("button", { name: "Try images" }).click();
  await page.getByRole("textbox", { name: "Image address" }).fill("https://example.com/a.png");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await look("tiles");
  await page.getByRole("button", { name: "Block 6: https://example.com/a.png", exact: true }).click();
  await expect(page.getByText(/Not previewed/)).toBeVisible();
  await look("pictures");
  await results(page).getByRole("tab", { name: "Code" }).click();
  await expect(results(page).getByRole("button", { name: /^Save calls/ })).toBeVisible();
  await look("code");
  await page.getByRole("tab", { name: /^Batch/ }).click();
  await paste(page, "text,label\none,a\ntwo,b");
  await expect(page.getByRole("combobox", { name: "Read as" })).toHaveValue("csv");
  await look("a table");
  await results(page).getByRole("tab", { name: "Matrix" }).click();
  await refuse(page, 429, {}, { "retry-after": "600" });
  await run(page);
  await expect(results(page).getByText(/trying again/)).toBeVisible();
  await look("waiting");
  await page.keyboard.press("Escape");
  await page.context().unrouteAll({ behavior: "wait" });
  await refuse(page, 402, { limit_kind: "credits" });
  await run(page);
  await expect(results(page).getByRole("link", { name: "Add credits" })).toBeVisible();
  await results(page).getByText("The failed rows").click();
  await look("failed");
});
