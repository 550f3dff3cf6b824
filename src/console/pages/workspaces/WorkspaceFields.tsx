import type { UseFormReturn } from "react-hook-form";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { perMinuteOf, perMinuteText, type RateField, rateFields, rateProblems } from "../../form/per-minute.ts";
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
  /** the durable embedding cache, whole numbers as typed; empty: off, and no limit of age */
  cacheMb: string;
  cacheDays: string;
}

const workspaceRates = rateFields("All keys of the workspace together. Empty: no limit.");

const cacheFields = {
  cacheMb: {
    member: "embedding_cache_mb",
    label: "Cache size, MB",
    hint: "Empty: off. Turning it off deletes what it holds.",
  },
  cacheDays: {
    member: "embedding_cache_days",
    label: "Oldest vector, days",
    hint: "Older ones are fetched again. Empty: no limit.",
  },
} as const satisfies Record<string, RateField>;

/** A new workspace's form. */
export const emptyWorkspace: WorkspaceValues = {
  name: "",
  slug: "",
  description: "",
  requests: "",
  tokens: "",
  cacheMb: "",
  cacheDays: "30",
};

export const workspaceLabels = {
  name: "Name",
  slug: "Slug",
  description: "Description",
  requests: workspaceRates.requests.label,
  tokens: workspaceRates.tokens.label,
  cacheMb: cacheFields.cacheMb.label,
  cacheDays: cacheFields.cacheDays.label,
};

/** Where a member of the API has another name in the form. */
export const workspaceFieldOf = {
  requests_per_minute: "requests",
  tokens_per_minute: "tokens",
  embedding_cache_mb: "cacheMb",
  embedding_cache_days: "cacheDays",
};

/** What is wrong with the numbers of the form. */
export function workspaceProblems({ requests, tokens, cacheMb, cacheDays }: WorkspaceValues): Record<string, string> {
  return rateProblems({ requests, tokens, cacheMb, cacheDays });
}

/** The members as the API takes them: an empty description is none. */
export function workspaceBody(values: WorkspaceValues) {
  const { name, slug, description, requests, tokens, cacheMb, cacheDays } = values;
  return {
    name: name.trim(),
    slug,
    description: description.trim() === "" ? null : description.trim(),
    requests_per_minute: perMinuteOf(requests),
    tokens_per_minute: perMinuteOf(tokens),
    embedding_cache_mb: perMinuteOf(cacheMb),
    embedding_cache_days: perMinuteOf(cacheDays),
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
    cacheMb: perMinuteText(stored.embedding_cache_mb),
    cacheDays: perMinuteText(stored.embedding_cache_days),
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
  /** the same for the embedding cache */
  cached?: boolean;
}

/** What a person sets of a workspace. While the slug is untouched it follows the name, where `slugFollows`. */
export function WorkspaceFields({ form, slugFollows, rated = false, cached = false }: WorkspaceFieldsProps) {
  const { errors, dirtyFields } = form.formState;
  const name = form.register("name", {
    onChange: (event: { target: { value: string } }) => {
      if (slugFollows && !dirtyFields.slug) form.resetField("slug", { defaultValue: slugOf(event.target.value) });
    },
  });
  return (
    <>
      <Field label={workspaceLabels.name} hint="A team, a product or a stage." error={errors.name?.message}>
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
      <Disclosure summary="Advanced: embedding cache" open={cached}>
        <p className="pb-3 text-12 text-fg-3">
          Stores the vectors of embedded texts, encrypted, so that equal inputs of later calls cost nothing, in every
          process and after a restart. Texts are not stored. Calls that ask for zero data retention, or send
          Cache-Control: no-store, leave nothing in it.
        </p>
        <RateFields fields={cacheFields} register={form.register} errors={errors} />
      </Disclosure>
    </>
  );
}
