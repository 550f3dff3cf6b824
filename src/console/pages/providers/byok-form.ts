import type { ByokRecord, CreateByokBody, UpdateByokBody } from "#contract/byok.ts";
import { changedMembers } from "../../form/changes.ts";
import type { FieldProblems } from "../../form/problems.ts";
import { secretDraft, secretMember, secretProblem, type SecretDraft } from "../../form/secret.ts";

/** A workspace's own key as its form holds it. */
export interface ByokValues {
  workspace_id: string;
  key: SecretDraft;
  name: string;
  turn: "first" | "fallback";
  models: "all" | "some";
  allowed_models: string[];
}

export const byokLabels = {
  workspace_id: "Workspace",
  key: "Key",
  name: "Name",
  turn: "When it is used",
  models: "Models",
  allowed_models: "Only these models",
};

export function byokValues(stored: ByokRecord | null, workspace: string): ByokValues {
  return {
    workspace_id: stored?.workspace_id ?? workspace,
    key: secretDraft(stored?.label ?? null),
    name: stored?.name ?? "",
    turn: stored?.is_fallback ? "fallback" : "first",
    models: stored?.allowed_models ? "some" : "all",
    allowed_models: stored?.allowed_models ?? [],
  };
}

function settings({ name, turn, models, allowed_models }: ByokValues) {
  return {
    name: name.trim() === "" ? null : name.trim(),
    is_fallback: turn === "fallback",
    allowed_models: models === "all" ? null : allowed_models,
  };
}

export function createByokBody(provider: string, values: ByokValues): CreateByokBody {
  return {
    ...settings(values),
    provider,
    key: secretMember(values.key) ?? "",
    ...(values.workspace_id === "" ? {} : { workspace_id: values.workspace_id }),
  };
}

/** Only what differs; a kept key is absent. */
export function updateByokBody(stored: ByokRecord, values: ByokValues): UpdateByokBody {
  const key = secretMember(values.key);
  return {
    ...changedMembers(settings(byokValues(stored, "")), settings(values)),
    ...(typeof key === "string" ? { key } : {}),
  };
}

export function byokProblems(values: ByokValues, stored: ByokRecord | null): FieldProblems {
  const problems: FieldProblems = {};
  const key = secretProblem(values.key, stored?.label ?? null, true);
  if (key !== null) problems["key"] = key;
  if (values.models === "some" && values.allowed_models.length === 0)
    problems["allowed_models"] = "Choose at least one model, or all of them";
  return problems;
}
