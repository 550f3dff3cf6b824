import { createHash } from "node:crypto";
import type { Locator } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import { edit, langfuse, save, section, stored } from "./destination-form.ts";
import { animated, atRest, expect, expectNoSidewaysScroll, screens, test } from "./fixtures.ts";
import type { RunningGateway } from "#gateway/testing/process.ts";

/** Where a hash falls, by another way than the contract's. */
const positionOf = (id: string) =>
  Number(BigInt(`0x${createHash("sha256").update(id).digest("hex")}`) >> 208n) / 2 ** 48;

/** In the order in which they come: the session of each, so many calls of it. */
const sessions = Array.from({ length: 24 }, (_, at) => ({
  name: `conversation-${at}`,
  calls: (at % 3) + 1,
  position: positionOf(`session:conversation-${at}`),
}));
const kept = (rate: number) => sessions.filter(({ position }) => position < rate);
const callsOf = (of: typeof sessions) => of.reduce((sum, { calls }) => sum + calls, 0);
const all = callsOf(sessions);
/** A session that 30% does not keep, and the lowest rate that does, in millionths. */
const held = sessions.filter(({ position }) => position > 0.35 && position < 0.9)[0] ?? { name: "", position: 1 };
const least = Math.floor(held.position * 1e6) + 1;
const leastPercent = `${Number((least / 1e4).toPrecision(6))}`;

async function makeCalls(api: Api, gateway: RunningGateway, workspaceId: string) {
  const { key } = await api(createKey, { body: { name: "prod-search", workspace_id: workspaceId } });
  const ids = new Map<string, string>();
  for (const { name, calls } of sessions) {
    for (let call = 0; call < calls; call += 1) {
      const body = { model: "gatehouse/lexical", input: name, session_id: name };
      const { id = "" } = await apiOf(gateway, key)(createEmbeddings, { body });
      ids.set(name, id);
    }
  }
  return ids;
}

/** How many bars of a strip are lit, and how far the outermost lie from its left edge, in shares of its width. */
async function litBars(strip: Locator): Promise<{ lit: number; of: number; last: number; next: number }> {
  const [lit = [], unlit = []] = await Promise.all(
    ["lit", "unlit"].map(async (which) => {
      const path = (await strip.locator(`[data-bars=${which}]`).getAttribute("d")) ?? "";
      return [...path.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x) / 40);
    }),
  );
  return { lit: lit.length, of: lit.length + unlit.length, last: Math.max(0, ...lit), next: Math.min(1, ...unlit) };
}
const stripIn = (place: Locator) => place.locator("[data-strip]");

for (const width of screens) {
  test(`the strip lights what the rate keeps, at ${width} px`, async ({ signedIn: page, gateway, workspace, api }) => {
    await page.setViewportSize({ width, height: 844 });
    await makeCalls(api, gateway, workspace.id);
    const {} = await edit(page, api, workspace, { sampling_rate: 0.3 });
    const sampling = section(page, "Sampling");
    const says = (rate: number) =>
      `${kept(rate).length} of 24 sessions, ${callsOf(kept(rate))} of ${all} calls ${callsOf(kept(rate)) === 1 ? "is" : "are"} kept at ${Number((rate * 100).toPrecision(12))}%.`;
    const slider = page.getByRole("slider", { name: "Sampling rate" });
    const isCut = async (rate: number) => {
      await expect(sampling).toContainText(says(rate));
      await expect.poll(() => litBars(stripIn(sampling))).toMatchObject({ lit: kept(rate).length, of: 24 });
      // the thumb stands between the last bar that is kept and the next one
      const [strip, thumb] = [await stripIn(sampling).boundingBox(), await slider.boundingBox()];
      if (strip === null || thumb === null) throw new Error("The strip or the thumb is not shown.");
      const at = thumb.x + thumb.width / 2 - strip.x;
      const { last, next } = await litBars(stripIn(sampling));
      expect(at).toBeGreaterThan(last * strip.width - 1);
      expect(at).toBeLessThan(next * strip.width + 1);
    };
    await isCut(0.3);
    // by keyboard: what a lower rate keeps was kept before
    let asked = 0;
    page.on("request", (request) => (asked += request.url().endsWith("/destinations/sessions") ? 1 : 0));
    for (const [key, rate] of [
      ["ArrowLeft", 0.25],
      ["PageDown", 0.025],
      ["End", 1],
    ] as const) {
      await slider.press(key);
      await isCut(rate);
    }
    expect(asked).toBe(0);
    await expectNoSidewaysScroll(page);
    await expect(sampling).not.toContainText("Shown are only");
  });

  test(`a traced call is a dot in each strip, at ${width} px`, async ({ signedIn: page, gateway, workspace, api }) => {
    await page.setViewportSize({ width, height: 844 });
    const { id } = await langfuse(api, workspace.id, { name: "some", sampling_rate: 0.3, enabled: true });
    await langfuse(api, workspace.id, { name: "few", sampling_rate: 0.02, enabled: true });
    await langfuse(api, workspace.id, { name: "off", sampling_rate: 0.02 });
    const ids = await makeCalls(api, gateway, workspace.id);
    const call = ids.get(held.name) ?? "";
    await page.goto(`${paths.findEvent(workspace.slug)}?generation=${call}`);
    const at = (name: string) =>
      page
        .getByRole("list", { name: "At each destination" })
        .getByRole("listitem")
        .filter({ has: page.getByRole("link", { name, exact: true }) });
    await expect(at("some")).toContainText(
      "The dot is this call among the sessions of the last 24 h: not kept at 30%.",
    );
    await expect(stripIn(at("some")).locator("[data-marker=held]")).toHaveCount(1);
    for (const [name, rate] of [
      ["some", 0.3],
      ["few", 0.02],
    ] as const) {
      await expect.poll(() => litBars(stripIn(at(name)))).toMatchObject({ lit: kept(rate).length, of: 24 });
    }
    await expect(stripIn(at("off"))).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
    const edit = at("some").getByRole("list", { name: "What would let it through" });
    await edit.getByRole("link", { name: `A rate of at least ${leastPercent}% keeps this session` }).click();

    await expect(page.getByLabel("Exactly, in percent")).toHaveValue(leastPercent);
    const sampling = section(page, "Sampling");
    await expect(stripIn(sampling).locator("[data-marker=kept]")).toHaveCount(1);
    await expect(sampling).toContainText(`The dot is the traced call. A rate of at least ${leastPercent}% keeps`);
    // a stop below that rate loses it again, and the button brings it back
    await page.getByRole("slider", { name: "Sampling rate" }).press("PageDown");
    await expect(stripIn(sampling).locator("[data-marker=held]")).toHaveCount(1);
    expect(await violations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await sampling.getByRole("button", { name: `A rate of at least ${leastPercent}% keeps this session` }).click();
    await expect(page.getByLabel("Exactly, in percent")).toHaveValue(leastPercent);
    await save(page);
    expect((await stored(api, id)).sampling_rate).toBe(least / 1e6);
  });
}

test("the strip without calls, and undrawable @long", async ({ signedIn: page, gateway, workspace, api }) => {
  const {} = await edit(page, api, workspace, { sampling_rate: 0.3 });
  const sampling = section(page, "Sampling");
  await expect(sampling).toContainText("There were no calls in the last 24 h. Each session will be a bar here.");
  await expect.poll(() => litBars(stripIn(sampling))).toMatchObject({ of: 0 });
  await makeCalls(api, gateway, workspace.id);
  await page.reload();
  await expect(sampling).toContainText("of 24 sessions");
  const rules = section(page, "Rules");
  await rules.getByRole("button", { name: "Add a rule" }).click();
  await page.getByLabel("Value of rule 1 of group 1").fill("none-like-it");
  await expect(sampling).toContainText(`None of the ${all} calls passes the rules.`);
  await page.route("**/observability/destinations/sessions", (route) =>
    route.fulfill({ status: 503, json: { error: { code: 503, message: "the store does not answer" } } }),
  );
  await page.getByLabel("Value of rule 1 of group 1").fill("nothing-like-it");
  await expect(sampling).toContainText("The sessions did not load. You can still save.");
  expect(await violations(page)).toEqual([]);
});

test.describe("where motion is not reduced", () => {
  test.use(animated);

  test("the dot runs along the strip once @long", async ({ signedIn: page, gateway, workspace, api }) => {
    await langfuse(api, workspace.id, { sampling_rate: 0.3, enabled: true });
    const ids = await makeCalls(api, gateway, workspace.id);
    await page.goto(`${paths.findEvent(workspace.slug)}?generation=${ids.get(held.name)}`);
    const marker = page.locator("[data-marker]");
    const motion = () =>
      marker.evaluate((dot) => {
        const { animationDuration, animationIterationCount } = getComputedStyle(dot);
        return [animationDuration, animationIterationCount];
      });
    await expect(marker).toHaveCount(1);
    await expect.poll(motion).toEqual(["0.66s", "1"]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect.poll(async () => (await motion())[0]).toBe("0s");
    await atRest(page);
  });
});
