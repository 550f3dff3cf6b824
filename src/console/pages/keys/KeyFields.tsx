import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import type { LimitReset } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { MoneyInput } from "../../form/MoneyInput.tsx";
import { RateFields } from "../../form/RateFields.tsx";
import { parseUsd } from "../../form/usd.ts";
import { partsToDate } from "../../form/utc-instant.ts";
import { UtcInstantField } from "../../form/UtcInstantField.tsx";
import { formatUsd } from "../../format.ts";
import { limitField } from "../../paths.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, FieldError, FieldGroup } from "../../ui/Field.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { countSettings, type KeyFormValues } from "./key-form.ts";
import { PeriodScale } from "./PeriodScale.tsx";

type Form = UseFormReturn<KeyFormValues>;

/** The visible names of the fields, for error summaries too. */
export const keyLabels = {
  name: "Name",
  workspaceId: "Workspace",
  limit: "Spending limit",
  reset: "Reset",
  countByok: "BYOK",
  watchOnly: "Only watch the limit",
  expiresAt: "Expiry",
  creator: "Creator",
  ...(Object.fromEntries(Object.entries(countSettings).map(([field, { label }]) => [field, label])) as Record<
    keyof typeof countSettings,
    string
  >),
};

/** Keeps password managers from offering to fill in or save text that is not a password. */
export const notAPassword = { "data-1p-ignore": true, "data-lpignore": "true", "data-bwignore": true };

const countFrom = 48;
const softMaximum = 64;

interface NameFieldProps {
  form: Form;
  duplicate: string | null;
  placeholder?: string;
}

export function NameField({ form, duplicate, placeholder = "<app>-<env>, such as search-prod" }: NameFieldProps) {
  const name = useWatch({ control: form.control, name: "name" });
  const length = Array.from(name.trim()).length;
  const hint =
    length > softMaximum
      ? `${length} of ${softMaximum}: longer names are cut in tables`
      : length >= countFrom
        ? `${length} of ${softMaximum}`
        : (duplicate ?? "Shown in lists, in the audit log and in exports.");
  return (
    <Field label="Name" hint={hint} error={form.formState.errors.name?.message}>
      {(control) => (
        <TextInput
          {...control}
          {...form.register("name")}
          {...notAPassword}
          dir="auto"
          required
          placeholder={placeholder}
          spellCheck={false}
        />
      )}
    </Field>
  );
}

const resets = [
  { value: "none", label: "None" },
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
  { value: "monthly", label: "Monthly" },
] as const;

interface LimitFieldsProps {
  form: Form;
  forecast: string | null;
}

/** Limit, reset, BYOK and whether it is only watched: the others are there once there is a limit. */
export function LimitFields({ form, forecast }: LimitFieldsProps) {
  const [limited, limit] = useWatch({ control: form.control, name: ["limited", "limit"] });
  const amount = parseUsd(limit);
  return (
    <>
      <LimitAmountFields form={form} forecast={forecast} />
      {limited === "yes" && (
        <>
          <Checkbox
            {...form.register("countByok")}
            label="Count BYOK usage toward the limit"
            hint={byokHint("usd" in amount ? amount.usd : null)}
          />
          <Checkbox
            {...form.register("watchOnly")}
            label={keyLabels.watchOnly}
            hint="Refuse no call for it: a key beyond it is shown in the list and under Needs attention."
          />
        </>
      )}
    </>
  );
}

/** The limit and its reset alone. */
export function LimitAmountFields({ form, forecast }: LimitFieldsProps) {
  const { control, formState } = form;
  const [limited, reset, watchOnly] = useWatch({ control, name: ["limited", "reset", "watchOnly"] });
  const now = useNow(30_000);
  const noLimit = limited === "no";
  const problem = formState.errors.limit?.message;
  return (
    <>
      {/* there is always a line here: an error that appeared in an empty place would move what is being clicked */}
      <FieldGroup
        label="Spending limit, USD"
        hint={
          problem ? (
            <FieldError id="limit-error">{problem}</FieldError>
          ) : noLimit ? (
            "It can spend any amount."
          ) : (
            (forecast ??
            (watchOnly ? "Calls beyond it are counted, not refused." : "Calls that would go over it get 402."))
          )
        }
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Controller
            control={control}
            name="limited"
            render={({ field }) => (
              <RadioGroup
                label="Spending limit"
                value={field.value}
                onChange={(value) => {
                  field.onChange(value);
                  // by pointer the amount comes next; the arrow keys stay in the group
                  if (value === "yes" && !document.activeElement?.matches(":focus-visible")) form.setFocus("limit");
                }}
                className="flex items-center gap-6"
              >
                <Radio value="no" label="No limit" />
                <Radio value="yes" label="Limit to" />
              </RadioGroup>
            )}
          />
          <Controller
            control={control}
            name="limit"
            render={({ field: { ref, value, onBlur, onChange } }) => (
              <MoneyInput
                ref={ref}
                value={value}
                onBlur={onBlur}
                onChange={(text) => {
                  onChange(text);
                  // an amount says that a limit is wanted
                  if (noLimit && text !== "") form.setValue("limited", "yes", { shouldDirty: true });
                }}
                id={limitField}
                aria-label="Limit in USD"
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? "limit-error" : undefined}
                className="w-44"
              />
            )}
          />
        </div>
      </FieldGroup>
      {!noLimit && (
        <FieldGroup label="Reset" hint={reset === "none" ? "The limit is for the key's whole life." : undefined}>
          <Controller
            control={control}
            name="reset"
            render={({ field }) => (
              <Segmented label="Reset" wide choices={resets} value={field.value} onChange={field.onChange} />
            )}
          />
          {reset !== "none" && <PeriodScale reset={reset satisfies LimitReset} now={now} />}
        </FieldGroup>
      )}
    </>
  );
}

function byokHint(limit: number | null): string {
  const what = limit === null ? "the limit" : `the ${formatUsd(limit)}`;
  return `Calls paid with your own provider credentials also draw from ${what}.`;
}

export function KeyRateFields({ form }: { form: Form }) {
  return <RateFields fields={countSettings} register={form.register} errors={form.formState.errors} />;
}

export function ExpiryField({ form }: { form: Form }) {
  const { control, formState } = form;
  const expires = useWatch({ control, name: "expires" });
  const error = formState.errors.expiresAt;
  return (
    <Controller
      control={control}
      name="expiresAt"
      render={({ field: { ref, value, onBlur } }) => (
        <UtcInstantField
          label="Expiry"
          ref={ref}
          value={expires === "never" ? null : value}
          onBlur={onBlur}
          error={error?.message}
          onChange={(next) => {
            form.setValue("expires", next === null ? "never" : "at", { shouldDirty: true });
            form.setValue("expiresAt", next ?? { date: "", time: "" }, {
              shouldDirty: true,
              // a whole instant that is past is wrong at once, one that is being typed is not
              shouldValidate: error !== undefined || (next !== null && partsToDate(next) !== null),
            });
          }}
        />
      )}
    />
  );
}
