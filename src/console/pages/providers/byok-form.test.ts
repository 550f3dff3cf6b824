import { expect, it } from "vitest";
import { CreateByokBody, UpdateByokBody, type ByokRecord } from "#contract/byok.ts";
import { byokProblems, byokValues, createByokBody, updateByokBody } from "./byok-form.ts";

const ids = { id: "0b0e9b5e-6f0e-4d5e-9a52-2f6d2a3f0c11", workspace_id: "5f0c7b1e-3f8b-4a9b-8f38-0f9d3c2b1a00" };
const key = { provider: "acme", name: "Team key", label: "sk-1...wxyz", origin: "https://api.example.com" };
const forAll = { allowed_models: null, allowed_user_ids: null, allowed_api_key_hashes: null, declared_zdr: null };
const order = { disabled: false, is_fallback: false, sort_order: 0, is_byok_only: false, is_required: false };
const stored: ByokRecord = { ...ids, ...key, ...forAll, ...order, created_at: "2026-11-20T10:00:00.000Z" };
const values = byokValues(stored, "");

it.each<[string, Partial<typeof values>, string]>([
  ["nothing", {}, "{}"],
  ["a name that goes", { name: " " }, '{"name":null}'],
  ["when it is used", { turn: "fallback" }, '{"is_fallback":true}'],
  ["the models", { models: "some", allowed_models: ["acme/small"] }, '{"allowed_models":["acme/small"]}'],
  ["another key", { key: { state: "typed", text: "sk-new" } }, '{"key":"sk-new"}'],
])("changing a workspace's own key sends %s alone", (_, change, body) => {
  expect(JSON.stringify(updateByokBody(stored, { ...values, ...change }))).toBe(body);
  expect(UpdateByokBody.safeParse(JSON.parse(body)).success).toBe(true);
});

it("a workspace's own key says what is missing, and adding one needs the key", () => {
  expect(byokProblems({ ...values, models: "some" }, stored)).toHaveProperty("allowed_models");
  expect(byokProblems({ ...values, key: { state: "typed", text: "sk-1...wxyz" } }, stored)).toHaveProperty("key");
  expect(byokProblems(values, stored)).toEqual({});
  const { workspace_id, provider } = stored;
  const empty = byokValues(null, workspace_id ?? "");
  expect(byokProblems(empty, null)).toHaveProperty("key");
  const body = createByokBody("acme", { ...empty, key: { state: "typed", text: "sk-new" } });
  const rest = { name: null, is_fallback: false, allowed_models: null };
  expect(CreateByokBody.parse(body)).toEqual({ provider, key: "sk-new", workspace_id, ...rest });
});
