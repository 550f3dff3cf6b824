import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { guardrailLabels as labels, type GuardrailForm } from "./guardrail-form.ts";

/** Keeps password managers from offering to fill in or save text that is not a password. */
const notAPassword = { "data-1p-ignore": true, "data-lpignore": "true", "data-bwignore": true };

interface NameFieldsProps {
  form: GuardrailForm;
  /** the name of a workspace's default guardrail cannot be changed */
  fixed?: boolean;
}

/** What a guardrail is called, and what it is for. */
export function NameFields({ form, fixed = false }: NameFieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      {!fixed && (
        <Field
          label={labels.name}
          error={errors.name?.message}
          hint="Callers see it where its lists or its budget refuse a call."
        >
          {(control) => (
            <TextInput
              {...control}
              {...form.register("name")}
              {...notAPassword}
              dir="auto"
              placeholder="Support team"
            />
          )}
        </Field>
      )}
      <Field label={labels.description} optional error={errors.description?.message}>
        {(control) => <TextArea {...control} {...form.register("description")} rows={2} dir="auto" />}
      </Field>
    </>
  );
}
