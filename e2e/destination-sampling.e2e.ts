import { expect, test } from "./fixtures.ts";
import { edit, langfuse, openEditor, save, saveBar, section, sentChanges, stored } from "./destination-form.ts";

test("sampling: by keys and text, kept and sent exactly", async ({ signedIn: page, part, gateway, api }) => {
  await part("an arrow is one stop, a page key is ×10 or ÷10, Home and End are the ends", async (workspace) => {
    const {} = await edit(page, api, workspace, { sampling_rate: 0.1 });
    const slider = page.getByRole("slider", { name: "Sampling rate" });
    const percent = page.getByLabel("Exactly, in percent");
    await slider.focus();
    for (const [key, value, words] of [
      ["ArrowRight", "12", "12 percent, about 1 in 8"],
      ["ArrowLeft", "10", "10 percent, about 1 in 10"],
      ["PageDown", "1", "1 percent, about 1 in 100"],
      ["PageUp", "10", "10 percent"],
      ["Shift+ArrowLeft", "1", "1 percent"],
      ["Home", "0.01", "0.01 percent, about 1 in 10,000"],
      ["ArrowRight", "0.012", "0.012 percent"],
      ["End", "100", "100 percent, every call"],
    ] as const) {
      await slider.press(key);
      await expect(percent, key).toHaveValue(value);
      await expect(slider, key).toHaveAttribute("aria-valuetext", new RegExp(words));
    }
    // no drag is needed: a press on the scale, and the presets
    await slider.locator("xpath=../..").click();
    await expect(percent).toHaveValue("1");
    await section(page, "Sampling").getByText("0.1%", { exact: true }).last().click();
    await expect(percent).toHaveValue("0.1");
    await expect(page.getByRole("radio", { name: "0.1%", exact: true })).toBeChecked();
  });
  await part("percent, ratio and fraction are read, said, and refused with what would work", async (workspace) => {
    const { sent } = await edit(page, api, workspace, { sampling_rate: 0.1 });
    const percent = page.getByLabel("Exactly, in percent");
    for (const [typed, said] of [
      ["2.5", "2.5%: 1 in 40"],
      ["1/1000", "0.1%: 1 in 1,000"],
      ["1:1000", "0.1%: 1 in 1,000"],
      ["0.001", "Read as a fraction: 0.001 is 0.1%: 1 in 1,000"],
      ["33.3333", "33.3333%: about 1 in 3"],
      ["2,5", "2.5%: 1 in 40"],
    ] as const) {
      await percent.fill(typed);
      await expect(percent).toHaveAccessibleDescription(said);
    }
    for (const typed of ["0", "101", "ten", "0.001%", ""]) {
      await percent.fill(typed);
      await expect(percent).toHaveAccessibleDescription(/from 0.01 to 100/);
      await expect(percent).toHaveAttribute("aria-invalid", "true");
    }
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect(percent).toBeFocused();
    expect(sent).toEqual([]);
    await percent.fill("1/1000");
    await percent.blur();
    await expect(percent).toHaveValue("0.1");
    await save(page, "Save it");
    expect(sent.map(({ body }) => body)).toEqual([{ sampling_rate: 0.001 }]);
  });
  await part("a rate between two stops is shown and kept exactly, and makes nothing dirty", async (workspace) => {
    const { id } = await langfuse(api, workspace.id, { sampling_rate: 0.033333 });
    await langfuse(api, workspace.id, { name: "the larger one", sampling_rate: 0.2, enabled: true });
    const sent = sentChanges(page);
    await openEditor(page, gateway.url, workspace.slug, id);
    const slider = page.getByRole("slider", { name: "Sampling rate" });
    await expect(page.getByLabel("Exactly, in percent")).toHaveValue("3.3333");
    await expect(slider).toHaveAttribute("aria-valuetext", /3\.3333 percent, about 1 in 30/);
    await expect(section(page, "Sampling")).toContainText("This 3.3333% is a subset of the 20% in the larger one");
    await slider.focus();
    await page.getByLabel("Exactly, in percent").focus();
    await page.getByLabel("Name", { exact: true }).focus();
    await expect(saveBar(page)).toHaveCount(0);
    await page.getByLabel("Name", { exact: true }).fill("renamed");
    await save(page);
    expect(sent.map(({ body }) => body)).toEqual([{ name: "renamed" }]);
    expect((await stored(api, id)).sampling_rate).toBe(0.033333);
    // the thumb stands at the nearest stop, 3 %: one step up is 4 %
    await slider.press("ArrowRight");
    await expect(page.getByLabel("Exactly, in percent")).toHaveValue("4");
  });
  await part("what goes over the wire is the decimal that is shown", async (workspace) => {
    const { sent } = await edit(page, api, workspace, { sampling_rate: 0.0005 });
    const slider = page.getByRole("slider", { name: "Sampling rate" });
    await slider.press("Home");
    await save(page);
    for (const steps of [1, 1, 1, 1, 1, 1, 1]) {
      for (let step = 0; step < steps; step += 1) await slider.press("ArrowRight");
      await save(page);
    }
    await page.getByLabel("Exactly, in percent").fill("0.07");
    await save(page);
    expect(sent.map(({ text }) => text)).toEqual(
      ["0.0001", "0.00012", "0.00015", "0.0002", "0.00025", "0.0003", "0.0004", "0.0005", "0.0007"].map(
        (rate) => `{"sampling_rate":${rate}}`,
      ),
    );
  });
});
