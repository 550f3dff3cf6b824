import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Controller } from "react-hook-form";
import { everyProvider } from "../../api/providers.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import type { ComboOption } from "../../ui/listbox.ts";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { BudgetFields } from "./BudgetFields.tsx";
import { FilterFields } from "./FilterFields.tsx";
import { FormSection } from "./FormSection.tsx";
import { guardrailLabels as labels, type GuardrailForm } from "./guardrail-form.ts";
import { zdrGroups, zdrNames } from "../../api/guardrail-words.ts";

interface GuardrailFieldsProps {
  form: GuardrailForm;
  /** it covers every key of its workspace */
  isDefault: boolean;
}

/** What a guardrail allows: models and providers, privacy, a budget, and what its filters look for. */
export function GuardrailFields({ form, isDefault }: GuardrailFieldsProps) {
  const { models, providers } = useOffers();
  return (
    <>
      <FormSection
        title="Models and providers"
        about="A call that no allowed provider can serve is refused with 404. With several guardrails, all of them must allow it."
      >
        <ListField
          form={form}
          name="allowedModels"
          options={models}
          add="Add a model"
          none="No provider here offers such a model"
          hint="Leave empty to allow every model."
        />
        <ListField
          form={form}
          name="ignoredModels"
          options={models}
          add="Add a model"
          none="No provider here offers such a model"
        />
        <ListField
          form={form}
          name="allowedProviders"
          options={providers}
          add="Add a provider"
          none="No such provider"
          hint="Leave empty to allow every provider."
        />
        <ListField
          form={form}
          name="ignoredProviders"
          options={providers}
          add="Add a provider"
          none="No such provider"
        />
      </FormSection>
      <PrivacyFields form={form} />
      <FormSection title="Budget">
        <BudgetFields form={form} isDefault={isDefault} />
      </FormSection>
      <FilterFields form={form} />
    </>
  );
}

function useOffers(): { models: readonly ComboOption[]; providers: readonly ComboOption[] } {
  const providers = useQuery(everyProvider).data?.data;
  return useMemo(() => {
    const names = new Map(providers?.flatMap((one) => one.models.map(({ id, name }) => [id, name] as const)));
    return {
      models: [...names].map(([value, detail]) => ({ value, label: value, detail })),
      providers: (providers ?? []).map(({ slug, name }) => ({ value: slug, label: name, detail: slug })),
    };
  }, [providers]);
}

const shownChips = 8;

interface ListFieldProps {
  form: GuardrailForm;
  name: "allowedModels" | "ignoredModels" | "allowedProviders" | "ignoredProviders";
  options: readonly ComboOption[];
  /** in the empty field */
  add: string;
  /** where nothing matches */
  none: string;
  hint?: string;
}

function ListField({ form, name, options, add, none, hint }: ListFieldProps) {
  const [chips, setChips] = useState(shownChips);
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <Field label={labels[name]} optional hint={hint} error={fieldState.error?.message}>
          {(control) => (
            <MultiCombobox
              {...control}
              label={labels[name]}
              options={options}
              values={field.value}
              onChange={field.onChange}
              describe={(value) => {
                const known = options.find((option) => option.value === value);
                return { label: known?.label ?? value, unknown: options.length > 0 && known === undefined };
              }}
              collapseAfter={chips}
              onExpand={() => setChips(Number.POSITIVE_INFINITY)}
              placeholder={add}
              emptyText={none}
            />
          )}
        </Field>
      )}
    />
  );
}

function PrivacyFields({ form }: { form: GuardrailForm }) {
  return (
    <FormSection title="Privacy" about="What providers do with requests is set on each provider's page.">
      <Controller
        control={form.control}
        name="zdr"
        render={({ field }) => (
          <FieldGroup
            label={labels.zdr}
            optional
            hint="Calls to these makers' models go only to providers that keep nothing of a request."
          >
            <div className="grid grid-cols-2 gap-x-4 max-md:grid-cols-1">
              <Checkbox
                label="All models"
                checked={field.value.length === zdrGroups.length}
                indeterminate={field.value.length > 0 && field.value.length < zdrGroups.length}
                onChange={({ target }) => field.onChange(target.checked ? [...zdrGroups] : [])}
                className="col-span-full"
              />
              {zdrGroups.map((group) => (
                <Checkbox
                  key={group}
                  label={group === "other" ? "Models of all others" : `Models of ${zdrNames[group]}`}
                  checked={field.value.includes(group)}
                  onChange={({ target }) =>
                    // in their own order, so that ticking one and clearing it again is no change
                    field.onChange(
                      zdrGroups.filter((one) => (one === group ? target.checked : field.value.includes(one))),
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
        )}
      />
      <FieldGroup
        label="Training and publication"
        optional
        hint="Such calls go only to providers that neither keep requests nor train on them."
      >
        <div>
          <Checkbox label="No training on calls to paid models" {...form.register("noPaidTraining")} />
          <Checkbox label="No training on calls to free models" {...form.register("noFreeTraining")} />
          <Checkbox label="No publication of calls to free models" {...form.register("noFreePublication")} />
        </div>
      </FieldGroup>
    </FormSection>
  );
}
