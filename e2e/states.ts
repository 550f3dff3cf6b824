import type { Locator, Page } from "@playwright/test";
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

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const didNotLoad = (page: Page) => page.getByRole("alert").filter({ hasText: "did not load" }).first();
/** While a state is "loading", the skeleton is there: it comes after 150 ms. */
const busy = (page: Page) => page.locator("[aria-busy=true]").first();
/** Only waited for: a thing of which one is enough. */
const first = (role: "dialog" | "alertdialog" | "table" | "menu" | "alert") => (page: Page) =>
  page.getByRole(role).first();

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

type Shown = (page: Page) => Locator;
type Place = (stage: Stage) => string;
const inFull =
  (path: (workspace: string) => string): Place =>
  ({ full }) =>
    path(full);
const inAll =
  (path: (workspace: string) => string): Place =>
  () =>
    path("all");
const ofKey =
  (path: (workspace: string, hash: string) => string): Place =>
  ({ full, hash }) =>
    path(full, hash);

/** The page of an address, with something on it. */
const at =
  (place: Place, shown: Shown): State =>
  async (stage) => {
    await stage.page.goto(stage.url + place(stage));
    await expect(shown(stage.page)).toBeAttached();
  };

/** The same, where the gateway answers like this. */
const where =
  (address: RegExp, status: Parameters<typeof answer>[2], place: Place, shown: Shown = didNotLoad): State =>
  async (stage) => {
    await answer(stage.page, address, status);
    await at(place, shown)(stage);
  };

/** What comes after another state, by something that a person does. */
const after =
  (before: State, act: (page: Page) => Promise<unknown>, shown?: Shown): State =>
  async (stage) => {
    await before(stage);
    await act(stage.page);
    if (shown) await expect(shown(stage.page)).toBeVisible();
  };

const list = /\/api\/v1\/keys\?/;
const one = /\/api\/v1\/keys\/[0-9a-f]{64}(\?|$)/;
const creation = /\/api\/v1\/keys$/;

const keys = inFull(paths.keys);
const keysReady = at(keys, (page) => page.getByRole("link", { name: "search-prod" }));
const sortByName = (page: Page) => button(page, /^Name/).click();

const keyListStates: Record<string, State> = {
  ready: keysReady,
  loading: where(list, "never", keys, (page) => page.getByRole("columnheader", { name: /^Name/ })),
  empty: at(
    ({ empty }) => paths.keys(empty),
    (page) => page.getByRole("heading", { name: "No keys yet" }),
  ),
  "empty because of filters": at(
    ({ full }) => `${paths.keys(full)}?q=waybil`,
    (page) => button(page, /^Clear filters/).first(),
  ),
  refreshing: after(keysReady, async (page) => {
    await answer(page, list, "never");
    await sortByName(page);
  }),
  partial: where(/\/keys\/count/, 500, keys, (page) =>
    page.getByText("The counts did not load; the rows are current."),
  ),
  error: where(list, 500, keys),
  forbidden: where(list, 403, keys, (page) => page.getByText("You don't have permission")),
  "too many calls": where(list, 429, keys, busy),
  unreachable: after(
    keysReady,
    async (page) => {
      await answer(page, /\/api\//, "refused");
      await page.getByRole("searchbox").fill("search");
    },
    (page) => page.getByText("The gateway cannot be reached."),
  ),
};

const search = (text: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill(text);
};

/** What opens over the list. */
const overListStates: Record<string, State> = {
  selected: after(
    keysReady,
    (page) => page.getByRole("checkbox", { name: "Select search-prod" }).check(),
    (page) => page.getByText("1 key selected"),
  ),
  "row menu": after(keysReady, (page) => button(page, "Actions for search-prod").click(), first("menu")),
  "account menu": after(keysReady, (page) => button(page, /^Account/).click(), first("menu")),
  "command menu": after(keysReady, search("search"), (page) =>
    page.getByRole("option", { name: /search-prod/ }).first(),
  ),
  "command menu without a hit": after(keysReady, search("nothing like it"), (page) =>
    page.getByText("Nothing is called"),
  ),
  "workspace switcher": after(
    keysReady,
    (page) => button(page, /^Workspace:/).click(),
    (page) => page.getByRole("combobox", { name: "Workspace" }),
  ),
  "list of shortcuts": after(
    keysReady,
    (page) => page.keyboard.press("?"),
    (page) => dialog(page, "Shortcuts on this page"),
  ),
  "found key": after(
    keysReady,
    async (page) => {
      await button(page, "Found a key?").click();
      await dialog(page, "Found a key?").getByLabel("The text").fill("sk-not-ours");
      await button(page, "Check").click();
    },
    (page) => page.getByText("No key was found in this text."),
  ),
  "session ended": after(
    keysReady,
    async (page) => {
      // the read that the click makes: one that the page makes by itself would bring the dialog before the click
      await answer(page, /\/api\/v1\/keys\?.*sort=name/, 401);
      await sortByName(page);
    },
    (page) => dialog(page, "Your session ended"),
  ),
};

const keyReady = at(ofKey(paths.key), (page) => button(page, "Delete key"));

const oneKeyStates: Record<string, State> = {
  ready: keyReady,
  "with models that it may not call": async (stage) => {
    await stage.page.route(/\/api\/v1\/provider-settings/, async (route) => {
      const answered = await route.fetch();
      const text = (await answered.text()).replaceAll(/"pricing":(?!null)\{[^}]*\}/g, '"pricing":null');
      await route.fulfill({ response: answered, json: JSON.parse(text) as unknown });
    });
    await keyReady(stage);
    await expect(stage.page.getByText(/have no price: while this limit is set/)).toBeVisible();
  },
  loading: where(one, "never", ofKey(paths.key), busy),
  partial: where(/\/(usage|audit)\?/, 500, ofKey(paths.key), first("alert")),
  gone: at(
    ({ full }) => paths.key(full, "0".repeat(64)),
    (page) => heading(page, "It no longer exists"),
  ),
  edit: after(
    at(ofKey(paths.editKey), (page) => dialog(page, "Edit search-prod")),
    (page) => page.getByRole("dialog").getByLabel("Name").fill("search-production"),
  ),
  replace: at(ofKey(paths.replaceKey), (page) => dialog(page, "Replace search-prod")),
  delete: after(keyReady, (page) => button(page, "Delete key").click(), first("alertdialog")),
  disable: after(
    keyReady,
    (page) => button(page, "Disable key").click(),
    (page) => dialog(page, "Disable search-prod"),
  ),
};

const newKey: State = async ({ page, url, full }) => openNewKey(page, url, full);
const named = after(newKey, (page) => page.getByRole("dialog").getByLabel("Name").fill(`state-${Date.now()}`));
const create = (page: Page) => button(page, /^Create key/).click();
const sent = (status: Parameters<typeof answer>[2], shown: Shown) =>
  after(
    named,
    async (page) => {
      await answer(page, creation, status, "POST");
      await create(page);
    },
    shown,
  );

const createKeyStates: Record<string, State> = {
  ready: newKey,
  filled: after(newKey, async (page) => {
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Name").fill("search-staging");
    await panel.getByLabel("Limit in USD").fill("50");
    for (const text of ["Weekly", "90 days"]) await panel.getByText(text, { exact: true }).click();
    for (const text of ["As an API call", "Advanced: creator"]) await panel.getByText(text).click();
  }),
  "with mistakes": after(
    newKey,
    async (page) => {
      await page.getByLabel("Limit in USD").fill("-5");
      await page.getByLabel("Expiry date, UTC").fill("2020-01-01");
      await create(page);
    },
    (page) => page.getByText("Enter a name").first(),
  ),
  refused: sent(500, (page) => page.getByText("The gateway had a problem.")),
  pending: sent("never", (page) => page.locator("[aria-disabled=true]").filter({ hasText: /^Create key/ })),
  "asks about a limit of 0": after(
    named,
    async (page) => {
      await page.getByLabel("Limit in USD").fill("0");
      await create(page);
    },
    (page) => button(page, "Keep 0"),
  ),
  "asks before leaving": after(
    named,
    (page) => page.keyboard.press("Escape"),
    (page) => page.getByRole("group", { name: "Leave without saving?" }),
  ),
  "unknown outcome": sent("refused", (page) => button(page, "Try again").and(page.locator(":enabled"))),
  "workspaces did not load": where(/\/workspaces\?/, 500, inAll(paths.newKey), (page) =>
    page.getByText(/did not load/).first(),
  ),
};

const reveal = after(named, async (page) => {
  await create(page);
  await revealOf(page);
});

const revealStates: Record<string, State> = {
  masked: reveal,
  shown: after(
    reveal,
    (page) => page.getByRole("button", { name: "Show", exact: true }).click(),
    (page) => page.getByRole("group", { name: "API key, shown" }),
  ),
  "could not copy": after(
    reveal,
    async (page) => {
      await page.evaluate(() => {
        Object.defineProperty(Clipboard.prototype, "writeText", { value: () => Promise.reject(new Error("denied")) });
        document.execCommand = () => false;
      });
      await button(page, "Copy key").click();
    },
    (page) => page.getByText("The browser refused to copy."),
  ),
  gate: after(reveal, (page) => page.keyboard.press("Escape"), gateOf),
  "no longer here": after(
    reveal,
    (page) => page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide"))),
    (page) => dialog(page, "The key is no longer here"),
  ),
  "after a reload": after(
    reveal,
    async (page) => {
      page.once("dialog", (question) => void question.accept());
      await page.reload();
    },
    (page) => page.getByText("may not have saved it"),
  ),
};

const overview = inFull(paths.overview);

const overviewStates: Record<string, State> = {
  "before the first call": at(overview, (page) => page.getByText("spent is over its limit")),
  ready: async (stage) => {
    await stage.makeCall();
    await at(overview, (page) => page.getByRole("heading", { name: "Spend today" }))(stage);
    await expect(stage.page.locator("[aria-busy=true]")).toHaveCount(0);
  },
  loading: where(/\/api\/v1\/overview/, "never", overview, busy),
  failed: where(/\/api\/v1\/overview/, 500, overview),
  "with the call that was waited for": async ({ page, url }) => {
    const ollama = { preset: "ollama", name: "Ollama", base_url: "http://127.0.0.1:11434/v1", models: ["llama"] };
    await page.route("**/provider-settings/detected", (route) => route.fulfill({ json: { data: [ollama] } }));
    let waiting = true;
    await page.route(/\/api\/v1\/generations\?/, (route) =>
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
  "no such workspace": at(
    () => paths.keys("no-such-one"),
    (page) => heading(page, "There is no such workspace"),
  ),
  "no such call": at(
    ({ full }) => paths.call(full, "gen-1"),
    (page) => page.getByRole("link", { name: "Show all calls" }),
  ),
  "no such page": at(
    () => "/w/all/nowhere",
    (page) => heading(page, "Page not found"),
  ),
};

const invalidName: Shown = (page) => page.locator("[role=dialog] [aria-invalid=true]").first();

const workspaceStates: Record<string, State> = {
  ready: at(inFull(paths.workspaces), first("table")),
  failed: where(/\/workspaces\?/, 500, inAll(paths.workspaces)),
  new: after(
    at(inAll(paths.newWorkspace), first("dialog")),
    (page) =>
      button(page, /^Create workspace/)
        .last()
        .click(),
    invalidName,
  ),
  edit: at(({ full }) => paths.editWorkspace("all", full), first("dialog")),
  "not to be deleted": at(
    ({ full }) => paths.deleteWorkspace("all", full),
    (page) => dialog(page, /can't be deleted/),
  ),
  "to be deleted": at(({ empty }) => paths.deleteWorkspace("all", empty), first("alertdialog")),
};

const newManagementKey = at(inAll(paths.newManagementKey), first("dialog"));
const managementKeys = at(inAll(paths.managementKeys), (page) => page.getByText("this session").first());

const managementKeyStates: Record<string, State> = {
  ready: managementKeys,
  failed: where(/v1\/management-keys/, 500, inAll(paths.managementKeys)),
  new: after(newManagementKey, create, invalidName),
  "shown once": after(
    newManagementKey,
    async (page) => {
      await page.getByRole("dialog").getByLabel("Name").fill("nightly-export");
      await create(page);
    },
    (page) => dialog(page, "Save your key"),
  ),
  "to be replaced": after(
    managementKeys,
    async (page) => {
      await button(page, /^Actions/)
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Replace" }).click();
    },
    (page) => page.getByRole("dialog").getByRole("radio", { name: "24 hours" }),
  ),
};

const auditStates: Record<string, State> = {
  ready: after(
    at(inFull(paths.audit), first("table")),
    (page) => page.getByRole("table").getByRole("button").first().click(),
    (page) => page.getByRole("button", { expanded: true }).first(),
  ),
  "empty because of filters": at(
    ({ full }) => `${paths.audit(full)}?actor=nobody`,
    (page) => page.getByRole("heading", { name: "No change matches these filters" }),
  ),
  loading: where(/\/audit\?/, "never", inFull(paths.audit), busy),
  failed: where(/\/audit\?/, 500, inFull(paths.audit)),
};

/** Pages of the other capabilities, as a workspace without any of their records has them. */
const pageStates: Record<string, State> = Object.fromEntries(
  Object.entries({
    calls: paths.calls,
    providers: paths.providers,
    "new provider": paths.newProvider,
    models: paths.models,
    credits: paths.credits,
    "new guardrail": paths.newGuardrail,
    "new preset": paths.newPreset,
    files: paths.files,
    batches: paths.batches,
    "new destination": (workspace: string) => paths.newDestinationOf(workspace, "webhook"),
    playground: paths.playground,
  }).map(([name, path]): [string, State] => [
    name,
    async (stage) => {
      await at(inFull(path), (page) => page.getByRole("heading", { level: 1 }).or(page.getByRole("dialog")).first())(
        stage,
      );
      await expect(stage.page.locator("[aria-busy=true]")).toHaveCount(0);
    },
  ]),
);

const signIn: State = async (stage) => {
  await stage.page.context().clearCookies();
  await at(paths.signIn, (page) => page.getByLabel("Management key"))(stage);
};
const signInRefused = (status: number, text: string) =>
  after(
    signIn,
    async (page) => {
      await answer(page, /\/session$/, status, "POST");
      await page.getByLabel("Management key").fill("wrong");
      await page.keyboard.press("Enter");
    },
    (page) => page.getByText(text),
  );

const signedOutStates: Record<string, State> = {
  "sign-in": signIn,
  "sign-in refused": signInRefused(401, "The gateway was told to answer 401"),
  "sign-in slowed": signInRefused(429, "Too many attempts."),
};

/** Every state, named by its place. The last ones end the session. */
export const states: Record<string, State> = Object.fromEntries(
  Object.entries({
    keys: keyListStates,
    "over the keys": overListStates,
    "one key": oneKeyStates,
    "creating a key": createKeyStates,
    "a new key": revealStates,
    overview: overviewStates,
    workspaces: workspaceStates,
    "management keys": managementKeyStates,
    audit: auditStates,
    pages: pageStates,
    "signed out": signedOutStates,
  }).flatMap(([place, inPlace]) =>
    Object.entries(inPlace).map(([name, state]): [string, State] => [`${place}: ${name}`, state]),
  ),
);
