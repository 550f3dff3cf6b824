import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import type { ProviderRecord } from "#contract/providers.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useReachable } from "../../api/connectivity.ts";
import { SecretField } from "../../form/SecretField.tsx";
import { Button } from "../../ui/Button.tsx";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { byokLabels as labels, type ByokValues } from "./byok-form.ts";
import { TestResult } from "./TestResult.tsx";
import type { TestRun } from "./use-test.ts";

// few keys are for some models only
const MultiCombobox = lazy(async () => ({ default: (await import("../../ui/MultiCombobox.tsx")).MultiCombobox }));

interface ByokFieldsProps {
  form: UseFormReturn<ByokValues>;
  provider: ProviderRecord;
  /** of the stored key; null for a new one, whose workspace is still to be chosen */
  mask: string | null;
  /** asks the vendor with the key that the form says now */
  test: TestRun;
}

export function ByokFields({ form, provider, mask, test }: ByokFieldsProps) {
  const { errors } = form.formState;
  const { reason } = useReachable();
  const models = useWatch({ control: form.control, name: "models" });
  const workspaces = useQuery(everyWorkspace).data ?? [];
  return (
    <>
      {mask === null && (
        <Field
          label={labels.workspace_id}
          error={errors.workspace_id?.message}
          hint={workspaces.length === 0 ? "The workspaces did not load: it goes to the default one." : undefined}
        >
          {(control) => (
            <NativeSelect {...control} {...form.register("workspace_id")}>
              {workspaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
      <Controller
        control={form.control}
        name="key"
        render={({ field, fieldState }) => (
          <SecretField
            ref={field.ref}
            label={labels.key}
            mask={mask}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            error={fieldState.error?.message}
            hint="Stored encrypted; never shown again."
            extra={
              <Button size="sm" pending={test.isPending} disabledReason={reason} onClick={test.run}>
                Test
              </Button>
            }
          />
        )}
      />
      <TestResult name={provider.name} test={test} />
      <Field label={labels.name} optional error={errors.name?.message} hint="For example, whose account it is.">
        {(control) => (
          <TextInput {...control} {...form.register("name")} dir="auto" data-1p-ignore data-lpignore="true" />
        )}
      </Field>
      <Controller
        control={form.control}
        name="turn"
        render={({ field }) => (
          <FieldGroup label={labels.turn}>
            <RadioGroup value={field.value} onChange={field.onChange} className="grid">
              <Radio value="first" label="Before the gateway's own key" />
              <Radio value="fallback" label="Only when the gateway's own key fails" />
            </RadioGroup>
          </FieldGroup>
        )}
      />
      <Controller
        control={form.control}
        name="models"
        render={({ field }) => (
          <FieldGroup label={labels.models}>
            <RadioGroup value={field.value} onChange={field.onChange} className="grid">
              <Radio value="all" label={`Every model of ${provider.name}`} />
              <Radio value="some" label="Only some" />
            </RadioGroup>
          </FieldGroup>
        )}
      />
      {models === "some" && (
        <Controller
          control={form.control}
          name="allowed_models"
          render={({ field }) => (
            <Field
              label={labels.allowed_models}
              error={(errors.allowed_models as { message?: string } | undefined)?.message}
            >
              {(control) => (
                <Suspense fallback={<Skeleton height={40} />}>
                  <MultiCombobox
                    {...control}
                    label={labels.allowed_models}
                    options={provider.models.map(({ id, name }) => ({ value: id, label: id, detail: name }))}
                    values={field.value}
                    onChange={field.onChange}
                    placeholder="Part of a model's id"
                  />
                </Suspense>
              )}
            </Field>
          )}
        />
      )}
    </>
  );
}
