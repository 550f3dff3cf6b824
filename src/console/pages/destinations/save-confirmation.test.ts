import { expect, it } from "vitest";
import type { DestinationRecord } from "#contract/destinations.ts";
import { callText } from "./api-call.ts";
import { createBody, newDraft } from "./draft.ts";
import { saveConfirmation } from "./save-confirmation.ts";
import { editsOf, withEdits } from "./unsaved-edits.ts";

const typed = (text: string) => ({ state: "typed", text }) as const;
const [webhook, s3, langfuse] = [newDraft("webhook"), newDraft("s3"), newDraft("langfuse")];

const base = { privacy_mode: true, sampling_rate: 0.1 };
const both = "from every key, including future ones. Sampling goes from 50% to 1%.";
it.each<[string, object | null, Partial<typeof webhook>, string?, string?]>([
  ["bodies of all keys", {}, { privacy_mode: false }, "Send prompts", "every key, including future ones"],
  ["bodies of one", null, { privacy_mode: false, api_key_hashes: ["a"] }, "Send prompts", "from one key"],
  ["bodies that left already", { privacy_mode: false }, { privacy_mode: false }],
  ["more than ten times as much", { sampling_rate: 0.01 }, { sampling_rate: 0.5 }, "more than ten", ""],
  ["less than a tenth", {}, { sampling_rate: 0.001 }, "less than a tenth", ""],
  ["ten times as much", {}, { sampling_rate: 1 }],
  ["anything of a new one", null, { sampling_rate: 0.0001 }],
  ["both", { sampling_rate: 0.5 }, { privacy_mode: false, sampling_rate: 0.01 }, "Send prompts and responses", both],
])("what is asked before saving %s", (_, stored, edits, title, text) => {
  const record = stored && ({ ...base, ...stored } as DestinationRecord);
  const asked = saveConfirmation(record, { ...webhook, sampling_rate: 0.1, ...edits });
  if (title === undefined) return expect(asked).toBeNull();
  expect(asked?.title).toContain(title);
  expect(asked?.text.endsWith(text === both ? both : "")).toBe(true);
  return expect(asked?.text).toContain(text);
});

it("unsaved edits are kept and given back over a newer version", () => {
  const groups = [{ rules: [{ field: "model", operator: "equals", value: "a", later: 1 }] }];
  const config = { ...webhook.config, url: "https://collector.example.com/v1" };
  const changes = { name: "mine", sampling_rate: 0.1, api_key_hashes: ["a"], filter_rules: { groups }, config };
  const edits = editsOf("webhook", { ...webhook, ...changes }, webhook);
  expect(Object.keys(edits).toSorted()).toEqual(Object.keys(changes).toSorted());
  const stored = JSON.parse(JSON.stringify(edits)) as Record<string, unknown>;
  const newer = { ...webhook, privacy_mode: false };
  expect(withEdits("webhook", newer, stored)).toEqual({ ...newer, ...changes });
});

it("unsaved edits hold no secret, put nothing into one, and are none where they have another shape", () => {
  const typedIn = { secretAccessKey: typed("hush-hush"), headers: [{ name: "x-token", value: typed("hush-hush") }] };
  const config = { bucketName: "traces", ...typedIn, endpoint: "https://hush-hush@store.example.com" };
  const edited = { ...s3, config: { ...s3.config, ...config } };
  expect(editsOf("s3", edited, s3)).toEqual({ config: { bucketName: "traces" } });
  for (const path of ["?token=hush-hush", "services/T0123/B0123/abcdEFGH0123abcdEFGH0123"]) {
    const url = `https://hooks.example.com/${path}`;
    expect(editsOf("webhook", { ...webhook, config: { ...webhook.config, url } }, webhook)).toEqual({});
  }
  expect(withEdits("s3", s3, { config: { secretAccessKey: "put in", unknown: "x" } })).toEqual(s3);
  expect(withEdits("s3", s3, { filter_rules: { groups: "all" } })).toBeNull();
  expect(withEdits("s3", s3, { sampling_rate: "1" })).toBeNull();
});

it("the API call that is shown has a name in the place of each secret", () => {
  const headers = [{ name: "X-Team", value: typed("canary-too") }];
  const config = { ...langfuse.config, publicKey: "pk-lf", secretKey: typed("sk-canary"), headers };
  const draft = { ...langfuse, config };
  const text = callText("POST", "/observability/destinations", createBody("langfuse", draft, undefined), draft);
  for (const part of ['"secretKey": "$SECRET_KEY"', '"X-Team": "$X_TEAM"', "pk-lf"]) expect(text).toContain(part);
  expect(text).not.toContain("canary");
});
