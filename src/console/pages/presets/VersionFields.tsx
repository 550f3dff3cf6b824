import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Controller, type FieldValues, type Path, type UseFormReturn } from "react-hook-form";
import { everyProvider } from "../../api/providers.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Field } from "../../ui/Field.tsx";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { versionLabels as labels, type VersionValues } from "./preset-form.ts";

const orders: readonly [value: string, label: string][] = [
  ["", "Workspace default"],
  ["price", "Cheapest first"],
  ["throughput", "Highest throughput first"],
  ["latency", "Lowest latency first"],
  ["exacto", "Fewest failures first"],
];

/** What one version of a preset sets. Its form may have more than this. */
export function VersionFields<V extends VersionValues & FieldValues>(props: { form: UseFormReturn<V> }) {
  // the fields of this form are those of a version
  const form = props.form as unknown as UseFormReturn<VersionValues>;
  const { errors, defaultValues, dirtyFields } = form.formState;
  const providers = useQuery(everyProvider).data?.data;
  const models = useMemo(() => {
    const names = new Map(providers?.flatMap((one) => one.models.map(({ id, name }) => [id, name] as const)));
    return [...names].map(([value, detail]) => ({ value, label: value, detail }));
  }, [providers]);
  const numberField = (name: Path<VersionValues> & ("temperature" | "topP" | "longest"), hint: string) => (
    <Field label={labels[name]} optional error={errors[name]?.message} hint={hint}>
      {(control) => <TextInput {...control} {...form.register(name)} inputMode="decimal" figures />}
    </Field>
  );
  return (
    <>
      <Controller
        control={form.control}
        name="model"
        render={({ field, fieldState }) => (
          <Field
            label={labels.model}
            optional
            error={fieldState.error?.message}
            hint="Calls can name another one. Empty: each call names its own."
          >
            {(control) => (
              <Combobox
                {...control}
                ref={field.ref}
                label={labels.model}
                options={models}
                value={field.value}
                selected={field.value === null ? undefined : { value: field.value, label: field.value }}
                onChange={(value) => field.onChange(value)}
                onBlur={field.onBlur}
                clearable
                placeholder="Any model"
                emptyText="No provider here offers such a model"
              />
            )}
          </Field>
        )}
      />
      <Field
        label={labels.prompt}
        optional
        error={errors.prompt?.message}
        hint="Sent before the conversation, unless the call has a system message of its own."
      >
        {(control) => <TextArea {...control} {...form.register("prompt")} rows={6} dir="auto" />}
      </Field>
      <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
        {numberField("temperature", "0 to 2 for most models.")}
        {numberField("topP", "0 to 1.")}
        {numberField("longest", "For each answer.")}
      </div>
      <Controller
        control={form.control}
        name="only"
        render={({ field, fieldState }) => (
          <Field
            label={labels.only}
            optional
            error={fieldState.error?.message}
            hint="Only these may serve its calls. Leave empty to allow every provider."
          >
            {(control) => (
              <MultiCombobox
                {...control}
                label={labels.only}
                options={(providers ?? []).map(({ slug, name }) => ({ value: slug, label: name, detail: slug }))}
                values={field.value}
                onChange={field.onChange}
                placeholder="Add a provider"
                emptyText="No such provider"
              />
            )}
          </Field>
        )}
      />
      <Field label={labels.sort} error={errors.sort?.message}>
        {(control) => (
          <NativeSelect {...control} {...form.register("sort")}>
            {orders.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Checkbox label="Only providers that keep no requests and do not train on them" {...form.register("deny")} />
      <Disclosure summary="Further settings" open={Boolean(defaultValues?.more) || dirtyFields.more === true}>
        <Field
          label={labels.more}
          optional
          error={errors.more?.message}
          hint="Tools, response format, stop texts, reasoning and others, by their names in the API."
        >
          {(control) => (
            <TextArea {...control} {...form.register("more")} rows={6} mono spellCheck={false} autoCapitalize="none" />
          )}
        </Field>
      </Disclosure>
    </>
  );
}
