import type { UseFormReturn } from "react-hook-form";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { perMinuteOf, perMinuteText, rateFields } from "../../form/per-minute.ts";
import { RateFields } from "../../form/RateFields.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { slugOf } from "./slug.ts";

export interface WorkspaceValues {
  name: string;
  slug: string;
  description: string;
  /** rates a minute as typed; empty: none */
  requests: string;
  tokens: string;
}

const workspaceRates = rateFields("All keys of the workspace together. Empty: no limit.");

export const workspaceLabels = {
  name: "Name",
  slug: "Slug",
  description: "Description",
  requests: workspaceRates.requests.label,
  tokens: workspaceRates.tokens.label,
};

/** Where a member of the API has another name in the form. */
export const workspaceFieldOf = { requests_per_minute: "requests", tokens_per_minute: "tokens" };

/** The members as the API takes them: an empty description is none. */
export function workspaceBody({ name, slug, description, requests, tokens }: WorkspaceValues) {
  return {
    name: name.trim(),
    slug,
    description: description.trim() === "" ? null : description.trim(),
    requests_per_minute: perMinuteOf(requests),
    tokens_per_minute: perMinuteOf(tokens),
  };
}

/** A stored workspace as its form holds it. */
export function workspaceForm(stored: WorkspaceRecord): WorkspaceValues {
  return {
    name: stored.name,
    slug: stored.slug,
    description: stored.description ?? "",
    requests: perMinuteText(stored.requests_per_minute),
    tokens: perMinuteText(stored.tokens_per_minute),
  };
}

/** Its settings in words. */
export function workspaceWords(stored: WorkspaceRecord): Record<string, string> {
  const form = workspaceForm(stored);
  return Object.fromEntries(
    (Object.keys(workspaceLabels) as (keyof WorkspaceValues)[]).map((field) => [
      workspaceLabels[field],
      form[field] === "" ? "None" : form[field],
    ]),
  );
}

interface WorkspaceFieldsProps {
  form: UseFormReturn<WorkspaceValues>;
  slugFollows: boolean;
  /** the rates are open from the start, because some are set */
  rated?: boolean;
}

/** What a person sets of a workspace. While the slug is untouched it follows the name, where `slugFollows`. */
export function WorkspaceFields({ form, slugFollows, rated = false }: WorkspaceFieldsProps) {
  const { errors, dirtyFields } = form.formState;
  const name = form.register("name", {
    onChange: (event: { target: { value: string } }) => {
      if (slugFollows && !dirtyFields.slug) form.resetField("slug", { defaultValue: slugOf(event.target.value) });
    },
  });
  return (
    <>
      <Field
        label={workspaceLabels.name}
        hint="As people know it: a team, a product, a stage."
        error={errors.name?.message}
      >
        {(control) => <TextInput {...control} {...name} dir="auto" data-1p-ignore data-lpignore="true" data-bwignore />}
      </Field>
      <Field
        label={workspaceLabels.slug}
        hint={
          slugFollows
            ? "In addresses of the console and the API."
            : "In addresses: links with the old slug stop working."
        }
        error={errors.slug?.message}
      >
        {(control) => (
          <TextInput {...control} {...form.register("slug")} mono spellCheck={false} autoCapitalize="none" />
        )}
      </Field>
      <Field label={workspaceLabels.description} optional error={errors.description?.message}>
        {(control) => <TextArea {...control} {...form.register("description")} rows={3} dir="auto" />}
      </Field>
      <Disclosure summary="Advanced: rates" open={rated}>
        <RateFields fields={workspaceRates} register={form.register} errors={errors} />
      </Disclosure>
    </>
  );
}
