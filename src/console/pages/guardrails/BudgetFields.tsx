import { Controller, useWatch } from "react-hook-form";
import { MoneyInput } from "../../form/MoneyInput.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { FieldError, FieldGroup } from "../../ui/Field.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import type { GuardrailForm } from "./guardrail-form.ts";

const resets = [
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
  { value: "monthly", label: "Monthly" },
] as const;

/** What each key, and each creator, may spend; the reset and BYOK act on it. */
export function BudgetFields({ form, isDefault }: { form: GuardrailForm; isDefault: boolean }) {
  const { control, formState } = form;
  const [limited, reset] = useWatch({ control, name: ["limited", "reset"] });
  const none = limited === "no";
  const problem = formState.errors.limit?.message;
  return (
    <>
      {/* there is always a line here: an error that appeared in an empty place would move what is being clicked */}
      <FieldGroup
        label="Budget, USD"
        hint={
          problem ? (
            <FieldError id="guardrail-limit-error">{problem}</FieldError>
          ) : none ? (
            "Only keys' own limits and the workspace's budgets apply."
          ) : (
            `${whoSpends(isDefault)} Calls that would go over it get 403.`
          )
        }
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Controller
            control={control}
            name="limited"
            render={({ field }) => (
              <RadioGroup
                label="Budget"
                value={field.value}
                onChange={(value) => {
                  field.onChange(value);
                  // by pointer the amount comes next; the arrow keys stay in the group
                  if (value === "yes" && !document.activeElement?.matches(":focus-visible")) form.setFocus("limit");
                }}
                className="flex items-center gap-6"
              >
                <Radio value="no" label="No budget" />
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
                  // an amount says that a budget is wanted
                  if (none && text !== "") form.setValue("limited", "yes", { shouldDirty: true });
                }}
                aria-label="Budget in USD"
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? "guardrail-limit-error" : undefined}
                className="w-44"
              />
            )}
          />
        </div>
      </FieldGroup>
      <FieldGroup
        label="Reset"
        hint={
          none
            ? "There is no budget to reset."
            : reset === "weekly"
              ? "At 00:00 UTC of each Monday."
              : `At 00:00 UTC of each ${reset === "daily" ? "day" : "month's first day"}.`
        }
      >
        <Controller
          control={control}
          name="reset"
          render={({ field }) => (
            <Segmented
              label="Reset"
              wide
              disabled={none}
              choices={resets}
              value={none ? null : field.value}
              onChange={field.onChange}
            />
          )}
        />
      </FieldGroup>
      <Checkbox
        {...form.register("countByok")}
        disabled={none}
        label="Count BYOK usage toward the budget"
        hint={
          none
            ? "There is no budget to count toward."
            : "Calls paid with the workspace's own provider keys also draw from it."
        }
      />
    </>
  );
}

function whoSpends(isDefault: boolean): string {
  return isDefault
    ? "For each key of the workspace by itself."
    : "For each assigned key by itself, and for all keys of each assigned creator together.";
}
