import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { listDeadLetters } from "#contract/forwarding.ts";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { type FakeSink, startFakeSink } from "#gateway/testing/fake-sink.ts";
import { type Api, apiOf } from "./api.ts";
import { expect, expectToast, test as base } from "./fixtures.ts";
import { openEditor, saveBar, section } from "./destination-form.ts";

const test = base.extend<{ sink: FakeSink; caller: Api }>({
  sink: async ({}, use) => {
    const sink = await startFakeSink();
    await use(sink);
    await sink.close();
  },
  caller: async ({ api, gateway, workspace }, use) => {
    const { key } = await api(createKey, { body: { name: "prod-search", workspace_id: workspace.id } });
    await use(apiOf(gateway, key));
  },
});

const model = "gatehouse/lexical";

test("what was delivered, and where an event went: at each destination the stage where it stopped", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
  caller,
  sink,
}) => {
  const body = { type: "webhook", workspace_id: workspace.id, config: { url: `${sink.url}/hook` } } as const;
  await api(createDestination, { body: { ...body, name: "takes-it" } });
  await api(createDestination, { body: { ...body, name: "other-key", api_key_hashes: ["a".repeat(64)] } });
  const rule = { field: "model", operator: "equals", value: "none" } as const;
  await api(createDestination, {
    body: { ...body, name: "other-model", filter_rules: { groups: [{ rules: [rule] }] } },
  });
  await api(createDestination, { body: { ...body, name: "is-off", enabled: false } });
  const { id = "" } = await caller(createEmbeddings, { body: { model, input: "container held at customs" } });
  await sink.until(1);

  await page.goto(gateway.url + paths.destinations(workspace.slug));
  const row = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
  await expect(async () => {
    await page.reload();
    await expect(row("takes-it")).toContainText("Delivering", { timeout: 2_000 });
    await expect(row("other-model")).toContainText("1 filtered", { timeout: 2_000 });
  }).toPass();
  await expect(row("other-key")).toContainText("1 from other keys");
  await expect(row("is-off")).toContainText("Paused");
  await expect(row("takes-it")).toContainText("Bodies leave");
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: /Destinations/ }),
  ).toContainText("4");

  await page.getByRole("link", { name: "Where did my event go" }).click();
  const panel = page.getByRole("dialog", { name: "Where did my event go" });
  await panel.getByLabel("Call id").fill(id);
  await panel.getByRole("button", { name: "Find" }).click();
  const at = (name: string) => panel.getByRole("listitem").filter({ hasText: name });
  await expect(at("takes-it")).toContainText("Sent");
  await expect(at("other-key")).toContainText("From another key");
  await expect(at("other-model")).toContainText("Stopped by a rule");
  await expect(at("is-off")).toContainText("Was switched off");
  await panel.getByLabel("Call id").fill("gen-never-made");
  await panel.getByLabel("Call id").press("Enter");
  await expect(panel).toContainText("No call has the id gen-never-made");
  await page.goBack();
  await page.goto(`${gateway.url}${paths.findEvent(workspace.slug)}?generation=${id}`);
  await at("other-model").getByRole("link", { name: "Open the settings that decide it" }).click();
  await expect(page.getByRole("heading", { name: "Rules" })).toBeFocused();
});

test("what leaves is shown as the unsaved form would send it: bodies as bars while they stay, and what stops a call", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
  caller,
  sink,
}) => {
  const canary = "the lighthouse keeper of Norderney";
  const { data } = await api(createDestination, {
    body: {
      name: "preview",
      type: "webhook",
      workspace_id: workspace.id,
      config: { url: `${sink.url}/hook`, headers: { Authorization: "Bearer sink-secret-0123456789" } },
    },
  });
  for (const input of [canary, "two", "three"]) await caller(createEmbeddings, { body: { model, input } });
  await openEditor(page, gateway.url, workspace.slug, data.id);
  const leaves = page.getByRole("complementary", { name: "What leaves" });
  const strip = page.getByRole("list", { name: "The pipeline, last 24 h" });
  await expect(strip.getByRole("listitem")).toHaveText([
    /^3requests/,
    /^3from these keys/,
    /^3pass the rules/,
    /^3sampled at 100%/,
    /delivered/,
  ]);
  await expect(leaves).toContainText("This call would be sent");
  await page.getByRole("radio", { name: "Metadata only" }).check();
  await expect(leaves.getByRole("img", { name: "input stays in the gateway" })).toBeVisible();
  await expect(leaves.getByRole("row", { name: /^input/ })).toContainText(/metadata only, \d+ B/);
  await expect(leaves).toContainText(/\d members stay, \d+ B/);
  await expect(leaves).not.toContainText(canary);
  await leaves.getByRole("button", { name: "As it is sent" }).click();
  await expect(leaves.getByRole("region", { name: "The request as it would be sent" })).toContainText(
    `POST ${sink.url}/hook`,
  );
  await expect(leaves).not.toContainText("sink-secret-0123456789");

  await section(page, "Rules").getByRole("button", { name: "Add a rule" }).click();
  // what the last calls held is offered, never prescribed
  await expect
    .poll(() =>
      page.locator("datalist option").evaluateAll((options) => options.map((option) => option.getAttribute("value"))),
    )
    .toEqual([model]);
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("contains");
  await page.getByLabel("Value of rule 1 of group 1").fill("no-such-model");
  await expect(leaves).toContainText("Would not be sent: rule 1 of group 1 stops it");
  await expect(strip.getByRole("listitem").nth(2)).toHaveText(/^0pass the rules/);
  await section(page, "Rules").getByRole("button", { name: "Try on the last 200 events" }).click();
  await expect(section(page, "Rules")).toContainText("0 of the last 3 would be sent, 3 would not.");
  await expect(section(page, "Rules").getByRole("row", { name: /stopped by rule 1 of group 1/ })).toHaveCount(3);
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("matches");
  await page.getByLabel("Value of rule 1 of group 1").fill("(unclosed");
  await expect(page.getByLabel("Value of rule 1 of group 1")).toHaveAccessibleDescription(/regular expression/);
});

test("a test of unsaved settings says how far it came; a change of the connection makes it stale; saving is not held up", async ({
  signedIn: page,
  gateway,
  workspace,
  sink,
}) => {
  await page.goto(gateway.url + paths.newDestinationOf(workspace.slug, "webhook"));
  await page.getByLabel("Name", { exact: true }).fill("tested");
  await page.getByLabel("URL", { exact: true }).fill(`${sink.url}/hook`);
  const connection = section(page, "Connection");
  await connection.getByRole("button", { name: "Test" }).click();
  await expect(connection.getByRole("status")).toContainText("Test passed");
  await expect(saveBar(page)).toContainText("Tested.");
  expect(sink.requests.at(-1)?.headers["x-test-connection"]).toBe("true");
  sink.behave(() => ({ status: 401, body: "who are you?" }));
  await connection.getByRole("button", { name: "Test" }).click();
  await expect(connection.getByRole("status")).toContainText("Test failed");
  await expect(connection.getByRole("status")).toContainText("HTTP 401");
  await connection.getByText("Show the answer").click();
  await expect(connection.getByRole("region", { name: "The sink's answer" })).toContainText("who are you?");
  await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/nobody");
  await expect(connection).toContainText("The connection was changed since the last test");
  await expect(saveBar(page)).toContainText("Not tested yet. It can be added all the same.");
  await page.getByRole("button", { name: /^Add destination/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("tested");
});

test("calls that a sink never takes are given up, can be read, and are sent again", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
  caller,
  sink,
}) => {
  const { data } = await api(createDestination, {
    body: { name: "picky", type: "webhook", workspace_id: workspace.id, config: { url: `${sink.url}/hook` } },
  });
  let refused = "";
  sink.behave(({ ids }) =>
    refused !== "" && ids.includes(refused) ? { status: 400, body: "cannot read this one" } : null,
  );
  await caller(createEmbeddings, { body: { model, input: "fine" } });
  await sink.until(1);
  sink.behave(({ ids }) =>
    ids.some((id) => id !== sink.accepted[0]) ? { status: 400, body: "cannot read this one" } : null,
  );
  const { id = "" } = await caller(createEmbeddings, { body: { model, input: "poison" } });
  refused = id;
  await expect
    .poll(async () => (await api(listDeadLetters, { params: { id: data.id } })).total_count, { timeout: 30_000 })
    .toBe(1);
  await page.goto(gateway.url + paths.deadLetters(workspace.slug, data.id));
  const panel = page.getByRole("dialog", { name: "Calls given up" });
  const letter = panel.getByRole("listitem").filter({ hasText: id });
  await expect(letter).toContainText("HTTP 400");
  await expect(letter).toContainText("cannot read this one");
  await letter.getByText("The record").click();
  await expect(letter.getByRole("region")).toContainText(model);
  sink.behave(null);
  await letter.getByRole("button", { name: `Try ${id} again` }).click();
  await expectToast(page, "1 call is being tried again.");
  await sink.until(2);
  await expect(panel).toContainText("There is none: every call that was due was taken.");
});

test("switching on asks what becomes of the calls that waited", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
  caller,
  sink,
}) => {
  await api(createDestination, {
    body: {
      name: "was-off",
      type: "webhook",
      enabled: false,
      privacy_mode: true,
      workspace_id: workspace.id,
      config: { url: `${sink.url}/hook` },
    },
  });
  for (const input of ["one", "two"]) await caller(createEmbeddings, { body: { model, input } });
  await page.goto(gateway.url + paths.destinations(workspace.slug));
  const toggle = page.getByRole("switch", { name: "Send to was-off" });
  await expect(page.getByText("2 waiting")).toBeVisible();
  await toggle.click();
  const question = page.getByRole("dialog", { name: "Switch was-off on" });
  await expect(question).toContainText("2 calls wait from the time that it was off.");
  await question.getByRole("button", { name: "Leave it off" }).click();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await question.getByRole("button", { name: "Send what waits, too" }).click();
  await sink.until(2);
  await expect(toggle).toBeChecked();
});

test("a failing destination opens by itself, is counted in the sidebar, and is tried at once when asked", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
  caller,
  sink,
}) => {
  sink.behave(() => ({ status: 503, body: "down for repairs" }));
  await api(createDestination, {
    body: { name: "is-down", type: "webhook", workspace_id: workspace.id, config: { url: `${sink.url}/hook` } },
  });
  await caller(createEmbeddings, { body: { model, input: "waits" } });
  await expect.poll(() => sink.requests.length).toBeGreaterThan(0);
  // half an hour of trouble is not waited for: the gateway's own answer, with the word that it would have then
  await page.route("**/observability/health*", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { status: string }[] };
    await route.fulfill({ response, json: { data: answer.data.map((one) => ({ ...one, status: "failing" })) } });
  });
  await page.goto(gateway.url + paths.destinations(workspace.slug));
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "is-down" }) });
  await expect(row).toContainText("1 call waits since");
  await expect(row.getByRole("region", { name: "The request that failed and the answer" })).toContainText(
    `POST ${sink.url}/hook`,
  );
  await expect(row).toContainText("HTTP 503");
  await expect(row).toContainText("down for repairs");
  await expect(row.getByRole("list", { name: "What it said in the last 24 h" }).getByRole("listitem")).toHaveText(
    /^\d+ ×.*503/,
  );
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: /Destinations/ }),
  ).toContainText("1failing");
  sink.behave(null);
  await row.getByRole("button", { name: "Retry now" }).click();
  await expectToast(page, "is-down is being tried now.");
  await sink.until(1);
  // the page goes on asking: a read that is under way when it closes is nobody's failure
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
