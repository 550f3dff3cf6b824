import type { UseFormReturn } from "react-hook-form";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { slugOf } from "./slug.ts";

export interface WorkspaceValues {
  name: string;
  slug: string;
  description: string;
}

export const workspaceLabels = { name: "Name", slug: "Slug", description: "Description" };

/** The members as the API takes them: an empty description is none. */
export function workspaceBody({ name, slug, description }: WorkspaceValues) {
  return { name: name.trim(), slug, description: description.trim() === "" ? null : description.trim() };
}

/** What a person sets of a workspace. While the slug is untouched it follows the name, where `slugFollows`. */
export function WorkspaceFields({ form, slugFollows }: { form: UseFormReturn<WorkspaceValues>; slugFollows: boolean }) {
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
    </>
  );
}
