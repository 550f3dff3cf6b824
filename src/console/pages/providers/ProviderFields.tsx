import type { ReactNode } from "react";
import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import type { ProviderPreset } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { SecretField } from "../../form/SecretField.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { presetOf, providerLabels as labels, type ProviderValues } from "./provider-form.ts";
import { TestResult } from "./TestResult.tsx";
import type { TestRun } from "./use-test.ts";

interface ProviderFieldsProps {
  form: UseFormReturn<ProviderValues>;
  preset: ProviderPreset;
  /** of the stored key; null where there is none */
  mask: string | null;
  /** a slug is chosen once: callers name it, and the ledger refers to it */
  isNew: boolean;
  /** asks the vendor with what the form says now */
  test: TestRun;
  /** below what the test found */
  found?: ReactNode;
}

const plain = { spellCheck: false, autoCapitalize: "none" } as const;

/** What an admin sets of a provider; its models are on its page. */
export function ProviderFields({ form, preset, mask, isNew, test, found }: ProviderFieldsProps) {
  const { errors } = form.formState;
  const { kind, selfHosted, name: vendor } = presetOf(preset);
  const { reason } = useReachable();
  const name = useWatch({ control: form.control, name: "name" }).trim();
  const builtin = kind === "builtin";
  return (
    <>
      <Field label={labels.name} error={errors.name?.message}>
        {(control) => (
          <TextInput {...control} {...form.register("name")} dir="auto" data-1p-ignore data-lpignore="true" />
        )}
      </Field>
      {isNew && (
        <Field
          label={labels.slug}
          error={errors.slug?.message}
          hint="How callers name it in provider.order, and the first part of its models' ids. It cannot be changed later."
        >
          {(control) => <TextInput {...control} {...form.register("slug")} {...plain} mono />}
        </Field>
      )}
      {!builtin && (
        <>
          <Field label={labels.base_url} error={errors.base_url?.message} hint={addressHint(preset)}>
            {(control) => (
              <TextInput
                {...control}
                {...form.register("base_url")}
                {...plain}
                mono
                inputMode="url"
                placeholder="https://"
              />
            )}
          </Field>
          {preset === "azure-openai" && (
            <Field
              label={labels.api_version}
              optional
              error={errors.api_version?.message}
              hint="Such as 2024-10-21. Leave it empty for an address that ends in /openai/v1."
            >
              {(control) => <TextInput {...control} {...form.register("api_version")} {...plain} mono />}
            </Field>
          )}
          <Controller
            control={form.control}
            name="api_key"
            render={({ field, fieldState }) => (
              <SecretField
                ref={field.ref}
                label={labels.api_key}
                mask={mask}
                optional
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={fieldState.error?.message}
                hint={
                  selfHosted ? "Most servers on your own machines need none." : "Stored encrypted; never shown again."
                }
                extra={
                  <Button size="sm" pending={test.isPending} disabledReason={reason} onClick={test.run}>
                    Test
                  </Button>
                }
              />
            )}
          />
          <TestResult name={name || (preset === "custom" ? "The provider" : vendor)} test={test} />
          {found}
          <Field
            label={labels.timeout_seconds}
            optional
            error={errors.timeout_seconds?.message}
            hint="Seconds to wait for the first byte, and between two pieces of an answer. Empty: GATEHOUSE_UPSTREAM_TIMEOUT."
          >
            {(control) => (
              <TextInput {...control} {...form.register("timeout_seconds")} {...plain} mono inputMode="numeric" />
            )}
          </Field>
        </>
      )}
      <Controller
        control={form.control}
        name="data_collection"
        render={({ field }) => (
          <FieldGroup
            label={labels.data_collection}
            hint="Calls that ask for data_collection: deny, or for zdr, go only to providers that say so here."
          >
            <RadioGroup value={field.value} onChange={field.onChange}>
              <Radio value="allow" label="May keep them, or train on them" />
              <Radio value="deny" label="Does neither" />
            </RadioGroup>
            <Checkbox label="Keeps nothing at all of a request (zero data retention)" {...form.register("zdr")} />
          </FieldGroup>
        )}
      />
      <Disclosure summary="Links to the vendor's pages">
        <div className="grid gap-4">
          {(["privacy_policy_url", "terms_of_service_url", "status_page_url"] as const).map((name) => (
            <Field key={name} label={labels[name]} optional error={errors[name]?.message}>
              {(control) => <TextInput {...control} {...form.register(name)} {...plain} inputMode="url" />}
            </Field>
          ))}
        </div>
      </Disclosure>
    </>
  );
}

function addressHint(preset: ProviderPreset): string {
  if (preset === "azure-openai") return "Of your resource, such as https://NAME.openai.azure.com/openai/v1";
  const { baseUrl, selfHosted } = presetOf(preset);
  if (baseUrl === null) return "The base URL of its API, such as https://api.example.com/v1";
  return selfHosted
    ? "As seen from the machine that the gateway runs on."
    : "The vendor's own, unless you go through a proxy.";
}
