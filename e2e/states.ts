import type { Page } from "@playwright/test";
import { errorStatus } from "#contract/errors.ts";
import { createKey, type CreateKeyBody, updateKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import type { Api } from "#gateway/testing/api-client.ts";
import { endingSoon, expect } from "./fixtures.ts";
import { gateOf, openNewKey, revealOf } from "./key-form.ts";

/** Where a state is looked at: a workspace with keys of every status, an empty one, and one key of the first. */
export interface Stage {
  page: Page;
  url: string;
  full: string;
  empty: string;
  hash: string;
  /** makes a call in the first one, so that there is something to draw */
  makeCall: () => Promise<void>;
}

/** A page in one of its states, brought about as a person or a failing gateway would. Ends when it is on screen. */
export type State = (stage: Stage) => Promise<unknown>;

/** Keys of every status that the table has a shape for; answers the hash of the one with a limit. */
export async function seedKeys(api: Api, workspaceId: string): Promise<string> {
  const soon = (seconds: number) => `${new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19)}Z`;
  const make = (body: CreateKeyBody) => api(createKey, { body: { workspace_id: workspaceId, ...body } });
  await endingSoon((expires_at) => make({ name: "ended", expires_at }));
  const { data: off } = await make({ name: "switched-off" });
  await api(updateKey, { params: { hash: off.hash }, body: { disabled: true } });
  await make({ name: "ends-soon", expires_at: soon(3_600), creator_user_id: "maria" });
  await make({ name: "spent", limit: 0, limit_reset: "daily" });
  await make({ name: "unlimited" });
  const { data } = await make({ name: "search-prod", limit: 50, limit_reset: "weekly", expires_at: soon(86_400 * 90) });
  return data.hash;
}

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

/** Every call of these addresses is answered like this from now on; nothing at all is `never`. */
async function answer(
  page: Page,
  address: RegExp,
  status: number | "never" | "refused",
  method?: string,
): Promise<void> {
  await page.route(address, (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback();
    if (status === "never") return undefined;
    if (status === "refused") return route.abort("connectionrefused");
    return route.fulfill({
      status,
      headers: { "x-request-id": "req-0f8b1c", ...(status === 429 && { "retry-after": "30" }) },
      json: {
        error: {
          code: status,
          message: `The gateway was told to answer ${status}`,
          metadata: { error_type: Object.entries(errorStatus).find(([, own]) => own === status)?.[0] },
        },
      },
    });
  });
}

const list = /\/api\/v1\/keys\?/;
const one = /\/api\/v1\/keys\/[0-9a-f]{64}(\?|$)/;
const creation = /\/api\/v1\/keys$/;

const keys =
  (workspace: "full" | "empty", search = ""): State =>
  async (stage) => {
    await stage.page.goto(stage.url + paths.keys(stage[workspace]) + search);
    await heading(stage.page, "API keys");
  };
const keysReady: State = async (stage) => {
  await keys("full")(stage);
  await expect(stage.page.getByRole("link", { name: "search-prod" })).toBeVisible();
};
const newKey: State = async ({ page, url, full }) => openNewKey(page, url, full);
const named: State = async (stage) => {
  await newKey(stage);
  await stage.page.getByRole("dialog").getByLabel("Name").fill(`state-${Date.now()}`);
};
const press = (page: Page) => page.getByRole("button", { name: /^Create key/ }).click();
const reveal: State = async (stage) => {
  await named(stage);
  await press(stage.page);
  await revealOf(stage.page);
};

/** While a state is "loading", the skeleton is there: it comes after 150 ms. */
const skeleton = (page: Page) => expect(page.locator("[aria-busy=true]").first()).toBeAttached();

export const keyListStates: Record<string, State> = {
  ready: keysReady,
  loading: async (stage) => {
    await answer(stage.page, list, "never");
    await keys("full")(stage);
    await expect(stage.page.getByRole("columnheader", { name: /^Name/ })).toBeVisible();
  },
  empty: async (stage) => {
    await keys("empty")(stage);
    await expect(stage.page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  },
  "empty because of filters": async (stage) => {
    await keys("full", "?q=waybil")(stage);
    await expect(stage.page.getByRole("button", { name: /^Clear filters/ })).toBeVisible();
  },
  refreshing: async (stage) => {
    await keysReady(stage);
    await answer(stage.page, list, "never");
    await stage.page.getByRole("button", { name: /^Name/ }).click();
  },
  partial: async (stage) => {
    await answer(stage.page, /\/keys\/count/, 500);
    await keysReady(stage);
    await expect(stage.page.getByText("The counts did not load; the rows are current.")).toBeVisible();
  },
  error: async (stage) => {
    await answer(stage.page, list, 500);
    await keys("full")(stage);
    await expect(stage.page.getByRole("alert").filter({ hasText: "did not load" })).toBeVisible();
  },
  forbidden: async (stage) => {
    await answer(stage.page, list, 403);
    await keys("full")(stage);
    await expect(stage.page.getByText("You don't have permission")).toBeVisible();
  },
  "too many calls": async (stage) => {
    await answer(stage.page, list, 429);
    await keys("full")(stage);
    await skeleton(stage.page);
  },
  unreachable: async (stage) => {
    await keysReady(stage);
    await answer(stage.page, /\/api\//, "refused");
    await stage.page.getByRole("searchbox").fill("search");
    await expect(stage.page.getByText("The gateway cannot be reached.")).toBeVisible();
  },
};

/** What opens over the list. */
export const overListStates: Record<string, State> = {
  selected: async (stage) => {
    await keysReady(stage);
    await stage.page.getByRole("checkbox", { name: "Select search-prod" }).check();
    await expect(stage.page.getByText("1 key selected")).toBeVisible();
  },
  "row menu": async (stage) => {
    await keysReady(stage);
    await stage.page.getByRole("button", { name: "Actions for search-prod" }).click();
    await expect(stage.page.getByRole("menu")).toBeVisible();
  },
  "account menu": async (stage) => {
    await keysReady(stage);
    await stage.page.getByRole("button", { name: /^Account/ }).click();
    await expect(stage.page.getByRole("menu")).toBeVisible();
  },
  "command menu": async (stage) => {
    await keysReady(stage);
    await stage.page.keyboard.press("Control+k");
    await stage.page.getByRole("combobox", { name: "Search or jump to" }).fill("search");
    await expect(stage.page.getByRole("option", { name: /search-prod/ })).toBeVisible();
  },
  "command menu without a hit": async (stage) => {
    await keysReady(stage);
    await stage.page.keyboard.press("Control+k");
    await stage.page.getByRole("combobox", { name: "Search or jump to" }).fill("nothing like it");
    await expect(stage.page.getByText("Nothing is called")).toBeVisible();
  },
  "workspace switcher": async (stage) => {
    await keysReady(stage);
    await stage.page.getByRole("button", { name: /^Workspace:/ }).click();
    await expect(stage.page.getByRole("combobox", { name: "Workspace" })).toBeVisible();
  },
  "list of shortcuts": async (stage) => {
    await keysReady(stage);
    await stage.page.keyboard.press("?");
    await expect(dialog(stage.page, "Shortcuts on this page")).toBeVisible();
  },
  "found key": async (stage) => {
    await keysReady(stage);
    await stage.page.getByRole("button", { name: "Found a key?" }).click();
    await dialog(stage.page, "Found a key?").getByLabel("The text").fill("sk-not-ours");
    await stage.page.getByRole("button", { name: "Check" }).click();
    await expect(stage.page.getByText("No key was found in this text.")).toBeVisible();
  },
  "session ended": async (stage) => {
    await keysReady(stage);
    // the read that the click makes: one that the page makes by itself would bring the dialog before the click
    await answer(stage.page, /\/api\/v1\/keys\?.*sort=name/, 401);
    await stage.page.getByRole("button", { name: /^Name/ }).click();
    await expect(dialog(stage.page, "Your session ended")).toBeVisible();
  },
};

export const oneKeyStates: Record<string, State> = {
  ready: async ({ page, url, full, hash }) => {
    await page.goto(url + paths.key(full, hash));
    await heading(page, "search-prod");
    await expect(page.getByRole("button", { name: "Delete key" })).toBeVisible();
  },
  "with models that it may not call": async (stage) => {
    await stage.page.route(/\/api\/v1\/provider-settings/, async (route) => {
      const answered = await route.fetch();
      const json = JSON.parse(
        (await answered.text()).replaceAll(/"pricing":(?!null)\{[^}]*\}/g, '"pricing":null'),
      ) as unknown;
      await route.fulfill({ response: answered, json });
    });
    await oneKeyStates["ready"]?.(stage);
    await expect(stage.page.getByText(/have no price: while this limit is set/)).toBeVisible();
  },
  loading: async ({ page, url, full, hash }) => {
    await answer(page, one, "never");
    await page.goto(url + paths.key(full, hash));
    await skeleton(page);
  },
  partial: async ({ page, url, full, hash }) => {
    await answer(page, /\/usage\?/, 500);
    await answer(page, /\/audit\?/, 500);
    await page.goto(url + paths.key(full, hash));
    await expect(page.getByRole("alert").first()).toBeVisible();
  },
  gone: async ({ page, url, full }) => {
    await page.goto(url + paths.key(full, "0".repeat(64)));
    await heading(page, "It no longer exists");
  },
  edit: async ({ page, url, full, hash }) => {
    await page.goto(url + paths.editKey(full, hash));
    await dialog(page, "Edit search-prod").getByLabel("Name").fill("search-production");
  },
  replace: async ({ page, url, full, hash }) => {
    await page.goto(url + paths.replaceKey(full, hash));
    await expect(dialog(page, "Replace search-prod")).toBeVisible();
  },
  delete: async (stage) => {
    await oneKeyStates["ready"]?.(stage);
    await stage.page.getByRole("button", { name: "Delete key" }).click();
    await expect(stage.page.getByRole("alertdialog")).toBeVisible();
  },
  disable: async (stage) => {
    await oneKeyStates["ready"]?.(stage);
    await stage.page.getByRole("button", { name: "Disable key" }).click();
    await expect(dialog(stage.page, "Disable search-prod")).toBeVisible();
  },
};

export const createKeyStates: Record<string, State> = {
  ready: newKey,
  filled: async (stage) => {
    await newKey(stage);
    const panel = stage.page.getByRole("dialog");
    await panel.getByLabel("Name").fill("search-staging");
    await panel.getByLabel("Limit in USD").fill("50");
    await panel.getByText("Weekly", { exact: true }).click();
    await panel.getByText("90 days", { exact: true }).click();
    await panel.getByText("As an API call").click();
    await panel.getByText("Advanced: creator").click();
  },
  "with mistakes": async (stage) => {
    await newKey(stage);
    const panel = stage.page.getByRole("dialog");
    await panel.getByLabel("Limit in USD").fill("-5");
    await panel.getByLabel("Expiry date, UTC").fill("2020-01-01");
    await press(stage.page);
    await expect(panel.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  },
  refused: async (stage) => {
    await answer(stage.page, creation, 500, "POST");
    await named(stage);
    await press(stage.page);
    await expect(stage.page.getByText("The gateway had a problem.")).toBeVisible();
  },
  pending: async (stage) => {
    await answer(stage.page, creation, "never", "POST");
    await named(stage);
    await press(stage.page);
    await expect(stage.page.getByRole("button", { name: /^Create key/ })).toHaveAttribute("aria-disabled", "true");
  },
  "asks about a limit of 0": async (stage) => {
    await named(stage);
    await stage.page.getByLabel("Limit in USD").fill("0");
    await press(stage.page);
    await expect(stage.page.getByRole("button", { name: "Keep 0" })).toBeVisible();
  },
  "asks before leaving": async (stage) => {
    await named(stage);
    await stage.page.keyboard.press("Escape");
    await expect(stage.page.getByRole("group", { name: "Leave without saving?" })).toBeVisible();
  },
  "unknown outcome": async (stage) => {
    await answer(stage.page, creation, "refused", "POST");
    await named(stage);
    await press(stage.page);
    await expect(stage.page.getByRole("button", { name: "Try again" })).toBeEnabled();
  },
  "workspaces did not load": async (stage) => {
    await answer(stage.page, /\/workspaces\?/, 500);
    await stage.page.goto(stage.url + paths.newKey("all"));
    await expect(stage.page.getByText(/did not load/).first()).toBeVisible();
  },
};

export const revealStates: Record<string, State> = {
  masked: reveal,
  shown: async (stage) => {
    await reveal(stage);
    await stage.page.getByRole("button", { name: "Show", exact: true }).click();
    await expect(stage.page.getByRole("group", { name: "API key, shown" })).toBeVisible();
  },
  "could not copy": async (stage) => {
    await reveal(stage);
    await stage.page.evaluate(() => {
      Object.defineProperty(Clipboard.prototype, "writeText", { value: () => Promise.reject(new Error("denied")) });
      document.execCommand = () => false;
    });
    await stage.page.getByRole("button", { name: "Copy key" }).click();
    await expect(stage.page.getByText("The browser refused to copy.")).toBeVisible();
  },
  gate: async (stage) => {
    await reveal(stage);
    await stage.page.keyboard.press("Escape");
    await expect(gateOf(stage.page)).toBeVisible();
  },
  "no longer here": async (stage) => {
    await reveal(stage);
    await stage.page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide")));
    await expect(dialog(stage.page, "The key is no longer here")).toBeVisible();
  },
  "after a reload": async (stage) => {
    await reveal(stage);
    stage.page.once("dialog", (question) => void question.accept());
    await stage.page.reload();
    await expect(stage.page.getByText("may not have saved it")).toBeVisible();
  },
};

export const overviewStates: Record<string, State> = {
  "overview before the first call": async ({ page, url, full }) => {
    await page.goto(url + paths.overview(full));
    await expect(page.getByRole("region", { name: /^Three steps/ })).toBeVisible();
    await expect(page.getByText("spent is over its limit")).toBeVisible();
  },
  "overview ready": async ({ page, url, full, makeCall }) => {
    await makeCall();
    await page.goto(url + paths.overview(full));
    await expect(page.getByRole("heading", { name: "Spend today" })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  },
  "overview loading": async ({ page, url, full }) => {
    await answer(page, /\/api\/v1\/overview/, "never");
    await page.goto(url + paths.overview(full));
    await heading(page, "Overview");
    await skeleton(page);
  },
  "overview failed": async ({ page, url, full }) => {
    await answer(page, /\/api\/v1\/overview/, 500);
    await page.goto(url + paths.overview(full));
    await expect(page.getByRole("alert").filter({ hasText: "did not load" }).first()).toBeVisible();
  },
  "overview with the call that was waited for": async ({ page, url }) => {
    const calls = /\/api\/v1\/generations\?/;
    const ollama = { preset: "ollama", name: "Ollama", base_url: "http://127.0.0.1:11434/v1", models: ["llama"] };
    await page.route("**/provider-settings/detected", (route) => route.fulfill({ json: { data: [ollama] } }));
    let waiting = true;
    await page.route(calls, (route) =>
      waiting ? route.fulfill({ json: { data: [], next_cursor: null, looked_back_to: null } }) : route.continue(),
    );
    await page.route(/\/api\/v1\/overview/, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { data: { ...data, used: false, called: false } } });
    });
    await page.goto(url + paths.overview("all"));
    await expect(page.getByRole("region", { name: /^Three steps/ })).toBeVisible();
    waiting = false;
    const arrived = page.getByRole("region", { name: "The first call arrived" });
    await expect(arrived.getByText(/ answered it in /)).toBeVisible();
    await expect(arrived.getByText("Ollama is running here too.")).toBeVisible();
  },
  "no such workspace": async ({ page, url }) => {
    await page.goto(url + paths.keys("no-such-one"));
    await heading(page, "There is no such workspace");
  },
  "no such call": async ({ page, url, full }) => {
    await page.goto(url + paths.call(full, "gen-1"));
    await expect(page.getByRole("link", { name: "Show all calls" })).toBeVisible();
  },
  "no such page": async ({ page, url }) => {
    await page.goto(`${url}/w/all/nowhere`);
    await heading(page, "Page not found");
  },
};

export const workspaceStates: Record<string, State> = {
  "workspaces ready": async ({ page, url, full }) => {
    await page.goto(url + paths.workspaces(full));
    await expect(page.getByRole("table")).toBeVisible();
  },
  "workspaces failed": async ({ page, url }) => {
    await answer(page, /\/workspaces\?/, 500);
    await page.goto(url + paths.workspaces("all"));
    await expect(page.getByRole("alert").filter({ hasText: "did not load" })).toBeVisible();
  },
  "workspace new": async ({ page, url }) => {
    await page.goto(url + paths.newWorkspace("all"));
    await page.getByRole("button", { name: /^Create workspace/ }).click();
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  },
  "workspace edit": async ({ page, url, full }) => {
    await page.goto(url + paths.editWorkspace("all", full));
    await expect(page.getByRole("dialog").getByLabel("Slug")).toHaveValue(full);
  },
  "workspace not to be deleted": async ({ page, url, full }) => {
    await page.goto(url + paths.deleteWorkspace("all", full));
    await expect(page.getByRole("dialog", { name: /can't be deleted/ })).toBeVisible();
  },
  "workspace to be deleted": async ({ page, url, empty }) => {
    await page.goto(url + paths.deleteWorkspace("all", empty));
    await expect(page.getByRole("alertdialog")).toBeVisible();
  },
};

export const managementKeyStates: Record<string, State> = {
  "management keys ready": async ({ page, url }) => {
    await page.goto(url + paths.managementKeys("all"));
    await expect(page.getByRole("table")).toContainText("this session");
  },
  "management keys failed": async ({ page, url }) => {
    await answer(page, /v1\/management-keys/, 500);
    await page.goto(url + paths.managementKeys("all"));
    await expect(page.getByRole("alert").filter({ hasText: "did not load" })).toBeVisible();
  },
  "management key new": async ({ page, url }) => {
    await page.goto(url + paths.newManagementKey("all"));
    await page.getByRole("button", { name: /^Create key/ }).click();
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  },
  "management key shown once": async ({ page, url }) => {
    await page.goto(url + paths.newManagementKey("all"));
    await page.getByRole("dialog").getByLabel("Name").fill("nightly-export");
    await page.getByRole("button", { name: /^Create key/ }).click();
    await expect(dialog(page, "Save your key")).toBeVisible();
  },
  "management key to be replaced": async ({ page, url }) => {
    await page.goto(url + paths.managementKeys("all"));
    await page
      .getByRole("button", { name: /^Actions/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Replace" }).click();
    await expect(page.getByRole("dialog").getByRole("radio", { name: "24 hours" })).toBeFocused();
  },
};

export const auditStates: Record<string, State> = {
  "audit ready": async ({ page, url, full }) => {
    await page.goto(url + paths.audit(full));
    await page.getByRole("table").getByRole("button").first().click();
    await expect(page.getByRole("button", { expanded: true }).first()).toBeVisible();
  },
  "audit empty because of filters": async ({ page, url, full }) => {
    await page.goto(`${url}${paths.audit(full)}?actor=nobody`);
    await expect(page.getByRole("heading", { name: "No change matches these filters" })).toBeVisible();
  },
  "audit loading": async ({ page, url, full }) => {
    await answer(page, /\/audit\?/, "never");
    await page.goto(url + paths.audit(full));
    await skeleton(page);
  },
  "audit failed": async ({ page, url, full }) => {
    await answer(page, /\/audit\?/, 500);
    await page.goto(url + paths.audit(full));
    await expect(page.getByRole("alert").filter({ hasText: "did not load" })).toBeVisible();
  },
};

export const signedOutStates: Record<string, State> = {
  "sign-in": async ({ page, url }) => {
    await page.goto(url + paths.signIn());
    await expect(page.getByLabel("Management key")).toBeVisible();
  },
  "sign-in refused": async (stage) => {
    await answer(stage.page, /\/session$/, 401, "POST");
    await signedOutStates["sign-in"]?.(stage);
    await stage.page.getByLabel("Management key").fill("wrong");
    await stage.page.keyboard.press("Enter");
    await expect(stage.page.getByText("The gateway was told to answer 401")).toBeVisible();
  },
  "sign-in slowed": async (stage) => {
    await answer(stage.page, /\/session$/, 429, "POST");
    await signedOutStates["sign-in"]?.(stage);
    await stage.page.getByLabel("Management key").fill("wrong");
    await stage.page.keyboard.press("Enter");
    await expect(stage.page.getByText("Too many attempts.")).toBeVisible();
  },
};
