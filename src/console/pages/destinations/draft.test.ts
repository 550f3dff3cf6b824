import { describe, expect, it } from "vitest";
import { UpdateDestinationBody, type DestinationRecord } from "#contract/destinations.ts";
import { changesOf, isTenfold } from "./changes.ts";
import { createBody, draftOf, holdsSecret, newDraft, undoBody, updateBody, type Draft } from "./draft.ts";
import { allKinds, formMembers } from "./kinds.ts";
import { afterSaving, merge, takeMine, takeTheirs } from "./merge.ts";
import { draftProblems } from "./problems.ts";
import { initialSettings } from "./settings.ts";

const hash = (letter: string) => letter.repeat(64);

const record: DestinationRecord = {
  ...initialSettings,
  id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
  name: "langfuse-prod",
  type: "langfuse",
  enabled: true,
  config: {
    secretKey: "sk-l...4bE1",
    publicKey: "pk-lf-1",
    baseUrl: "https://langfuse.example.com",
    headers: { "X-Team": "blue...gray" },
  },
  api_key_hashes: [hash("a")],
  filter_rules: { groups: [{ logic: "and", rules: [{ field: "model", operator: "starts_with", value: "openai/" }] }] },
  privacy_mode: true,
  sampling_rate: 0.07,
  created_at: "2026-08-12T09:00:00.000Z",
  updated_at: "2026-08-12T09:00:00.000Z",
  workspace_id: "7c9e6679-7425-40de-944b-e07fc1f90ae8",
  regions: ["global"],
};
const draft = draftOf(record);
const edit = (change: Partial<Draft>): Draft => ({ ...draft, ...change });
const member = (name: string, value: Draft["config"][string]) => edit({ config: { ...draft.config, [name]: value } });
const typed = (text: string) => ({ state: "typed", text }) as const;

describe("the body of a PATCH", () => {
  it("is empty where nothing was edited: loading rewrites nothing", () => {
    expect(updateBody(record, draft)).toEqual({});
  });

  it.each<[string, Draft, UpdateDestinationBody]>([
    ["name", edit({ name: " renamed " }), { name: "renamed" }],
    ["privacy", edit({ privacy_mode: false }), { privacy_mode: false }],
    ["keys", edit({ api_key_hashes: [hash("a"), hash("b")] }), { api_key_hashes: [hash("a"), hash("b")] }],
    ["all keys", edit({ api_key_hashes: null }), { api_key_hashes: null }],
    ["no rules", edit({ filter_rules: null }), { filter_rules: null }],
    ["sampling", edit({ sampling_rate: 0.0001 }), { sampling_rate: 0.0001 }],
    ["context", edit({ broadcast_generation_request_context: true }), { broadcast_generation_request_context: true }],
    [
      "an address",
      member("baseUrl", "https://other.example.com"),
      { config: { baseUrl: "https://other.example.com" } },
    ],
    ["an address cleared", member("baseUrl", " "), { config: { baseUrl: null } }],
    ["a secret", member("secretKey", typed("sk-lf-new")), { config: { secretKey: "sk-lf-new" } }],
    [
      "no headers",
      member("headers", [{ name: "X-Team", value: { state: "removed", text: "" } }]),
      { config: { headers: { "X-Team": null } } },
    ],
    [
      "a second header beside a kept one",
      member("headers", [...(draft.config["headers"] as []), { name: "X-More", value: typed("1") }]),
      { config: { headers: { "X-More": "1" } } },
    ],
  ])("has only what changed: %s", (_, edited, body) => {
    expect(updateBody(record, edited)).toEqual(body);
    expect(UpdateDestinationBody.safeParse(body).success).toBe(true);
  });

  it("never holds a kept secret or its mask", () => {
    const everything = edit({
      name: "n",
      privacy_mode: false,
      sampling_rate: 1,
      api_key_hashes: null,
      filter_rules: null,
    });
    expect(JSON.stringify(updateBody(record, everything))).not.toContain("...");
  });

  it("knows when a secret is in the form", () => {
    expect(holdsSecret(draft)).toBe(false);
    expect(holdsSecret(newDraft("s3"))).toBe(false);
    expect(holdsSecret(member("secretKey", typed("sk")))).toBe(true);
    expect(holdsSecret(member("headers", [{ name: "X-A", value: typed("1") }]))).toBe(true);
  });

  it("puts back what a save changed, unless an address or a secret was among it", () => {
    const after = { ...record, sampling_rate: 0.5, name: "other" };
    expect(undoBody(record, after)).toEqual({ sampling_rate: 0.07, name: "langfuse-prod" });
    expect(undoBody(record, { ...after, config: { ...record.config, publicKey: "x" } })).toBeNull();
    expect(undoBody(record, record)).toBeNull();
  });
});

describe("a new destination", () => {
  it("of every kind begins with the kind's defaults, and sends no empty member", () => {
    for (const kind of allKinds) {
      const fresh = newDraft(kind);
      const { config, privacy_mode } = createBody(kind, fresh, undefined);
      expect(privacy_mode).toBe(true);
      const defaults = formMembers(kind).filter(([, { default: standard }]) => standard !== undefined);
      expect(config).toEqual(Object.fromEntries(defaults.map(([name, one]) => [name, one.default])));
      const required = formMembers(kind).filter(([, one]) => one.required);
      expect(Object.keys(draftProblems(kind, fresh, null)).toSorted()).toEqual(
        ["name", ...required.map(([name]) => `config.${name}`)].toSorted(),
      );
    }
  });

  it("sends what was typed", () => {
    const fresh = newDraft("webhook");
    const config = { ...fresh.config, url: "https://hook.example.com", headers: [{ name: "X-A", value: typed("b") }] };
    expect(createBody("webhook", { ...fresh, name: "hook", config }, record.workspace_id)).toMatchObject({
      name: "hook",
      type: "webhook",
      workspace_id: record.workspace_id,
      config: { url: "https://hook.example.com", method: "POST", headers: { "X-A": "b" } },
    });
  });
});

describe("what is wrong with a draft", () => {
  const problems = (edited: Draft) => draftProblems("langfuse", edited, record);

  it("is nothing for what was loaded", () => expect(problems(draft)).toEqual({}));

  it("asks for every kept secret again when the host moves, not when only the path does", () => {
    expect(Object.keys(problems(member("baseUrl", "https://evil.example.com")))).toEqual([
      "config.secretKey",
      "config.publicKey",
      "config.headers.0",
    ]);
    expect(problems(member("baseUrl", "https://langfuse.example.com/otel"))).toEqual({});
    expect(problems(member("baseUrl", "http://langfuse.example.com"))).not.toEqual({});
    const replaced = member("baseUrl", "https://evil.example.com").config;
    const config = { ...replaced, secretKey: typed("sk-new"), publicKey: typed("pk-new"), headers: [] };
    expect(problems(edit({ config }))).toEqual({});
  });

  it.each(["sk-l...4bE1", "sk-l…4bE1", "••••••"])("takes no mask for a secret: %s", (text) => {
    expect(problems(member("secretKey", typed(text)))["config.secretKey"]).toMatch(/masked value/);
  });

  it("wants a key, an address, a rate, headers with names of their own", () => {
    expect(problems(edit({ api_key_hashes: [], sampling_rate: null, name: " " }))).toEqual({
      name: "Enter a name",
      api_key_hashes: "Choose at least one, or pick All keys",
      sampling_rate: "Enter a percentage from 0.01 to 100",
    });
    expect(problems(member("baseUrl", "langfuse"))["config.baseUrl"]).toMatch(/http or https/);
    const headers = [
      { name: "X-A", value: typed("1") },
      { name: "x-a", value: typed("2") },
      { name: "a b", value: typed("3") },
      { name: "", value: typed("4") },
    ];
    expect(Object.keys(problems(member("headers", headers)))).toEqual([1, 2, 3].map((at) => `config.headers.${at}`));
  });
});

describe("the changes in sentences", () => {
  const known = {
    passing: 10_300,
    keyName: (one: string) => ({ [hash("b")]: "customs-classifier" })[one] ?? one.slice(0, 4),
  };
  const texts = (edited: Draft) => changesOf(record, edited, known).map(({ text }) => text);

  it("are none where nothing changed", () => expect(texts(draft)).toEqual([]));

  it("say what happens", () => {
    expect(
      texts(
        edit({
          name: "archive",
          privacy_mode: false,
          api_key_hashes: [hash("b")],
          sampling_rate: 0.7,
          filter_rules: {
            enabled: false,
            groups: [{ logic: "or", rules: [{ field: "total_cost", operator: "gt", value: 0.01 }] }],
          },
        }),
      ),
    ).toEqual([
      "Renamed from “langfuse-prod” to “archive”",
      "Prompts and responses will start being sent",
      "Key added: customs-classifier",
      "Key removed: aaaa",
      "The rules are switched off",
      "Rule added: total cost is over $0.01",
      "Rule removed: model starts with openai/",
      "Group 1 matches any of its rules",
      "Sampling 7% → 70%: about 721 → 7,210 events a day",
    ]);
    expect(texts(edit({ api_key_hashes: null }))).toEqual(["All keys, including future ones, instead of 1 key"]);
    expect(texts(edit({ filter_rules: null }))).toEqual(["All rules are removed: every call passes"]);
    expect(texts(member("baseUrl", ""))).toEqual(["Base URL goes back to https://us.cloud.langfuse.com"]);
  });

  it("never say a secret", () => {
    const text = texts(member("secretKey", typed("sk-lf-canary"))).join();
    expect(text).toBe("Secret key is replaced; the old one cannot be recovered");
  });

  it("know what is tenfold", () => {
    expect([isTenfold(0.01, 0.1), isTenfold(0.01, 0.11), isTenfold(1, 0.09)]).toEqual([false, true, true]);
  });
});

describe("two people at once", () => {
  it("keep what only one of them touched", () => {
    const theirs = {
      ...record,
      sampling_rate: 0.5,
      config: { ...record.config, baseUrl: "https://langfuse.example.com/2" },
    };
    const { draft: merged, overlaps, theirs: paths } = merge(edit({ name: "mine" }), record, theirs);
    expect(updateBody(theirs, merged)).toEqual({ name: "mine" });
    expect(merged).toMatchObject({ sampling_rate: 0.5, config: { baseUrl: "https://langfuse.example.com/2" } });
    expect(overlaps).toEqual([]);
    expect(paths).toEqual(["sampling_rate", "config.baseUrl"]);
  });

  it("are asked about what both touched, and either answer can be had", () => {
    const theirs = { ...record, sampling_rate: 0.5 };
    const { draft: merged, overlaps } = merge(edit({ sampling_rate: 0.2 }), record, theirs);
    expect(overlaps).toEqual([{ path: "sampling_rate", mine: 0.2, theirs: 0.5, base: 0.07 }]);
    expect(merged.sampling_rate).toBe(0.2);
    const taken = takeTheirs(merged, theirs, "sampling_rate");
    expect(updateBody(theirs, taken)).toEqual({});
    const [overlap] = overlaps;
    expect(overlap && takeMine(taken, overlap).sampling_rate).toBe(0.2);
  });

  it("see a secret that the other one replaced, and agree where both did the same", () => {
    const theirs = { ...record, config: { ...record.config, secretKey: "sk-x...9999" }, name: "same" };
    const { overlaps } = merge({ ...member("secretKey", typed("sk-lf-new")), name: "same" }, record, theirs);
    expect(overlaps.map(({ path }) => path)).toEqual(["config.secretKey"]);
  });
});

describe("what is edited while it is saved", () => {
  const newHeader = { name: "X-New", value: typed("new") };
  const stored = { name: "X-Team", value: { state: "kept", text: "" } } as const;
  const saved = {
    ...record,
    name: "saved",
    config: { ...record.config, headers: { "X-New": "n...w", "X-Team": "b...y" } },
  };
  const keep = (name: string) => ({ name, value: { state: "kept", text: "" } });

  it("stays edited; all else is as it is stored, no secret left", () => {
    const sent = { ...member("secretKey", typed("sk-lf-canary")), name: "saved" };
    const now = { ...sent, name: "saved and more", sampling_rate: 0.5 };
    const next = afterSaving(sent, now, { ...record, name: "saved" });
    expect(updateBody({ ...record, name: "saved" }, next)).toEqual({ name: "saved and more", sampling_rate: 0.5 });
    expect(holdsSecret(next)).toBe(false);
  });

  it("includes a secret that was typed on", () => {
    const next = afterSaving(member("secretKey", typed("sk-1")), member("secretKey", typed("sk-12")), record);
    expect(updateBody(record, next)).toEqual({ config: { secretKey: "sk-12" } });
  });

  it("includes headers by their names: changed, added, removed, renamed", () => {
    const sent = member("headers", [stored, newHeader]);
    const headersAfter = (rows: Draft["config"][string]) =>
      afterSaving(sent, member("headers", rows), saved).config["headers"];
    expect(headersAfter([stored, newHeader])).toEqual([keep("X-New"), keep("X-Team")]);
    expect(headersAfter([stored, { ...newHeader, value: typed("newer") }])).toEqual([
      { name: "X-New", value: typed("newer") },
      keep("X-Team"),
    ]);
    expect(headersAfter([stored])).toEqual([{ name: "X-New", value: { state: "removed", text: "" } }, keep("X-Team")]);
    const another = { name: "X-Other", value: typed("other") };
    expect(headersAfter([stored, newHeader, another])).toEqual([keep("X-New"), keep("X-Team"), another]);
    expect(headersAfter([stored, { ...newHeader, name: "X-Renamed" }])).toEqual([
      { name: "X-New", value: { state: "removed", text: "" } },
      keep("X-Team"),
      { name: "X-Renamed", value: typed("new") },
    ]);
  });

  it("does not bring a header back that was removed and saved", () => {
    const removed = member("headers", [{ name: "X-Team", value: { state: "removed", text: "" } }]);
    const without = { ...record, config: { ...record.config, headers: {} } };
    expect(afterSaving(removed, removed, without).config["headers"]).toEqual([]);
  });
});
