import { listGenerations } from "#contract/calls.ts";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { listDeadLetters, listDestinationHealth } from "#contract/forwarding.ts";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { type FakeSink, startFakeSink } from "#gateway/testing/fake-sink.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { expect, expectToast, test as base, enter, expectTexts } from "./fixtures.ts";
import { langfuse, openEditor, saveBar, section } from "./destination-form.ts";

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

test("where an event went, and where it stopped", async ({ signedIn: page, workspace, api, caller, sink }) => {
  const body = { type: "webhook", workspace_id: workspace.id, config: { url: `${sink.url}/hook` } } as const;
  await api(createDestination, { body: { ...body, name: "takes-it" } });
  const { data: other } = await api(createKey, { body: { name: "other", workspace_id: workspace.id } });
  await api(createDestination, { body: { ...body, name: "other-key", api_key_hashes: [other.hash] } });
  const rule = { field: "model", operator: "equals", value: "none" } as const;
  await api(createDestination, {
    body: { ...body, name: "other-model", filter_rules: { groups: [{ rules: [rule] }] } },
  });
  await api(createDestination, { body: { ...body, name: "is-off", enabled: false } });
  const { id = "" } = await caller(createEmbeddings, { body: { model, input: "container held at customs" } });
  await sink.until(1);
  // what became of a call is counted after it was delivered
  const counted = async (name: "delivered" | "filtered" | "not_allowed") =>
    (await api(listDestinationHealth, { query: { workspace_id: workspace.id } })).data
      .flatMap(({ hours }) => hours)
      .reduce((sum, hour) => sum + hour[name], 0);
  for (const name of ["delivered", "filtered", "not_allowed"] as const) await expect.poll(() => counted(name)).toBe(1);

  await page.goto(paths.destinations(workspace.slug));
  const row = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
  await expect(row("takes-it")).toContainText("Delivering");
  await expect(row("other-model")).toContainText("1 filtered");
  await expect(row("other-key")).toContainText("1 from other keys");
  await expect(row("is-off")).toContainText("Paused");
  await expect(row("takes-it")).toContainText("Bodies leave");
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: /Destinations/ }),
  ).toContainText("4");

  await page.getByRole("link", { name: "Trace a call" }).click();
  const panel = page.getByRole("dialog", { name: "Trace a call" });
  await panel.getByLabel("Call id").fill(id);
  await panel.getByRole("button", { name: "Find" }).click();
  const at = (name: string) => panel.getByRole("listitem").filter({ hasText: name });
  await expect(at("takes-it")).toContainText("Sent");
  await expect(at("other-key")).toContainText("From another key");
  await expect(at("other-model")).toContainText("Stopped by a rule");
  await expect(at("is-off")).toContainText("Switched off");
  const { data: made } = await api(listGenerations, { query: { id } });
  await enter(panel.getByLabel("Call id"), made[0]?.request_id ?? "");
  await expect(page).toHaveURL(/generation=req-/);
  await expect(at("takes-it")).toContainText("Sent");
  await enter(panel.getByLabel("Call id"), "req-00000000000000000000");
  await expect(panel).toContainText("No call has the request id req-0000");
  await enter(panel.getByLabel("Call id"), "gen-never-made");
  await expect(panel).toContainText("No call has the id gen-never-made");
  await page.goBack();
  await page.goto(`${paths.findEvent(workspace.slug)}?generation=${id}`);
  await expect(at("takes-it").getByRole("list", { name: "Gates" })).toContainText("Delivery: passed");
  const gates = at("other-model").getByRole("list", { name: "Gates" });
  await expectTexts(gates, "Keys: passed", "Rules: it stopped here", "Sampling: not reached");
  await expect(at("other-key").getByRole("list", { name: "What would let it through" })).toContainText("Add the key");
  await expect(at("other-model").getByRole("list", { name: "What would let it through" })).toHaveText(
    `Rule 1 of group 1: or model is ${model}`,
  );
  await at("other-model")
    .getByRole("link", { name: `Rule 1 of group 1: or model is ${model}` })
    .click();
  await expect(page.getByRole("heading", { name: "Rules" })).toBeFocused();
  const change = page.getByRole("status").filter({ hasText: "Changed but not saved" });
  await expect(change).toContainText(id);
  await expect(page.getByLabel("Value of rule 2 of group 1")).toHaveValue(model);
  // what is said of the change is said only while it stands
  await page.getByLabel("Value of rule 2 of group 1").fill("another");
  await expect(change).toHaveCount(0);
  await page.getByLabel("Value of rule 2 of group 1").fill(model);
  await expect(change).toBeVisible();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  const bar = page.getByRole("region", { name: "Unsaved changes" });
  await expect(bar).toContainText(`Rule added: model is ${model}`);
  await bar.getByRole("button", { name: /^Save/ }).click();
  await expect(bar).toHaveCount(0);
});

test("what leaves, as the form has it", async ({ signedIn: page, gateway, workspace, api, caller, sink }) => {
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
    /^3calls/,
    /^3from these keys/,
    /^3pass the rules/,
    /^3sampled at 100%/,
  ]);
  await expect(leaves).toContainText("This call would be sent");
  await expect(leaves).toContainText(/^What leaves.*Call gen-\S+, as the saved settings send it/);
  await page.getByRole("radio", { name: "Metadata only" }).check();
  await expect(leaves).toContainText("as your unsaved changes would send it");
  await expect(leaves.getByRole("img", { name: "input stays in the gateway" })).toBeVisible();
  await expect(leaves.getByRole("row", { name: /^input/ })).toContainText(/metadata only, \d+ B/);
  await expect(leaves).toContainText(/\d fields and the caller.s key stay, \d+ B/);
  // what the edits change comes first, then what a person asks about, then what stays
  await expect(
    leaves.getByRole("table", { name: "Fields that leave and fields that stay" }).getByRole("rowheader"),
  ).toHaveText(["Because of your edits", "What", "Cost", "Time", "Stays in the gateway"]);
  await expect(leaves.getByRole("row", { name: /^authorization/ })).toContainText("never sent");
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
  // privacy is previewed while a rule is unfinished, and nothing is claimed of the rule
  await leaves.getByRole("button", { name: "Field by field" }).click();
  const stays = leaves.getByRole("img", { name: "input stays in the gateway" });
  await expect(stays).toBeVisible();
  await page.getByRole("radio", { name: "Include prompts and responses" }).check();
  await expect(leaves).toContainText("Whether it would be sent is not known: finish rule 1");
  await expect(stays).toHaveCount(0);
  await page.getByRole("radio", { name: "Metadata only" }).check();
  await expect(stays).toBeVisible();
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("contains");
  await page.getByLabel("Value of rule 1 of group 1").fill("no-such-model");
  await expect(leaves).toContainText("Would not be sent: rule 1 of group 1 stops it");
  await expect(leaves).toContainText(/0 B leaves; it would be [\d.]+ k?B/);
  await expect(strip.getByRole("listitem").nth(2)).toHaveText(/^0pass the rules/);
  await section(page, "Rules").getByRole("button", { name: "Try on the last 200 events" }).click();
  await expect(section(page, "Rules")).toContainText("0 of the last 3 pass these rules.");
  await expect(section(page, "Rules").getByRole("row", { name: /stopped by rule 1 of group 1/ })).toHaveCount(3);
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("matches");
  await page.getByLabel("Value of rule 1 of group 1").fill("(unclosed");
  await expect(page.getByLabel("Value of rule 1 of group 1")).toHaveAccessibleDescription(/regular expression/);
  await expect(leaves).toContainText("Whether it would be sent is not known: correct rule 1");
});

test("a connection is tested, and said to be damaged", async ({ signedIn: page, workspace, sink, api }) => {
  await test.step("a test of unsaved settings says how far it came; a change of the connection makes it stale; saving is not held up", async () => {
    await page.goto(paths.newDestinationOf(workspace.slug, "webhook"));
    await page.getByLabel("Name", { exact: true }).fill("tested");
    await page.getByLabel("URL", { exact: true }).fill(`${sink.url}/hook`);
    const connection = section(page, "Connection");
    await connection.getByRole("button", { name: "Test" }).click();
    await expect(connection.getByRole("status")).toContainText("Test passed");
    await expect(saveBar(page)).toContainText("Tested.");
    expect(sink.requests.at(-1)?.headers["x-test-connection"]).toBe("true");
    sink.behave(() => ({ status: 401, body: "who are you?" }));
    await connection.getByRole("button", { name: "Test" }).click();
    await expectTexts(connection.getByRole("status"), "Test failed", "HTTP 401");
    await connection.getByText("Show the answer").click();
    await expect(connection.getByRole("region", { name: "The destination: the answer to the test" })).toContainText(
      "who are you?",
    );
    await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/nobody");
    await expect(connection).toContainText("The connection has changed since the last test");
    await expect(saveBar(page)).toContainText("Not tested yet. You can still add it.");
    await page.getByRole("button", { name: /^Add destination/ }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("tested");
  });
  await test.step("stored settings that cannot be opened are told with the reason, on the page and in the list", async () => {
    const { id } = await langfuse(api, workspace.id, {});
    const problem = "The stored settings cannot be opened: they are damaged";
    await page.route(/\/observability\/(destinations\/[^/]+\/)?health/, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object | object[] };
      const spoil = (health: object) => ({ ...health, config_problem: problem });
      await route.fulfill({ response, json: { data: Array.isArray(data) ? data.map(spoil) : spoil(data) } });
    });
    await page.goto(paths.destination(workspace.slug, id));
    await expect(page.getByRole("status").filter({ hasText: problem })).toContainText("Enter the connection again");
    await page.goto(paths.destinations(workspace.slug));
    await expect(page.getByText(`${problem}. Enter them again before you switch it on.`).first()).toBeVisible();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

test("dead letters are read and sent again", async ({ signedIn: page, workspace, api, caller, sink }) => {
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
  await expect.poll(async () => (await api(listDeadLetters, { params: { id: data.id } })).total_count).toBe(1);
  await page.goto(paths.deadLetters(workspace.slug, data.id));
  const panel = page.getByRole("dialog", { name: "Dead letters" });
  const letter = panel.getByRole("listitem").filter({ hasText: id });
  await expectTexts(letter, "HTTP 400", "cannot read this one");
  await letter.getByText("The event").click();
  await expect(letter.getByRole("region")).toContainText(model);
  sink.behave(null);
  await letter.getByRole("button", { name: `Try ${id} again` }).click();
  await expectToast(page, "1 call is being tried again.");
  await sink.until(2);
  await expect(panel).toContainText("No dead letters.");
});

test("switching on asks what becomes of waiting calls", async ({ signedIn: page, workspace, api, caller, sink }) => {
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
  await page.goto(paths.destinations(workspace.slug));
  const toggle = page.getByRole("switch", { name: "Send to was-off" });
  await expect(page.getByText("2 waiting")).toBeVisible();
  await toggle.click();
  const question = page.getByRole("dialog", { name: "Switch was-off on" });
  await expect(question).toContainText("2 calls are waiting from while it was off.");
  await question.getByRole("button", { name: "Leave it off" }).click();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await question.getByRole("button", { name: "Send waiting calls too" }).click();
  await sink.until(2);
  await expect(toggle).toBeChecked();
});

test("a failing destination is told and tried at once", async ({ signedIn: page, workspace, api, caller, sink }) => {
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
  await page.route("**/api/v1/counts*", async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { destinations: object } };
    await route.fulfill({
      response,
      json: { data: { ...data, destinations: { ...data.destinations, failing: 1 } } },
    });
  });
  await page.goto(paths.destinations(workspace.slug));
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "is-down" }) });
  await expect(row).toContainText("1 call waiting since");
  await expect(row.getByRole("region", { name: "is-down: the request that failed and the answer" })).toContainText(
    `POST ${sink.url}/…`,
  );
  await expectTexts(row, "HTTP 503", "down for repairs", "The destination is not accepting events at the moment.");
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: /Destinations/ }),
  ).toContainText("1failing");
  sink.behave(null);
  await row.getByRole("button", { name: "Retry now" }).click();
  await expectToast(page, "is-down is being retried now.");
  await sink.until(1);
  // the page goes on asking: a read that is under way when it closes is nobody's failure
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
