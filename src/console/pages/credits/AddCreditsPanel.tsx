import { Controller } from "react-hook-form";
import { addCredits } from "#contract/credits.ts";
import { useAction } from "../../api/action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { MoneyInput } from "../../form/MoneyInput.tsx";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import { creditBody, creditProblem, type CreditValues } from "./credit-form.ts";

/** Makes an entry: an entry is never changed, a wrong one is taken away by another. */
export function AddCreditsPanel() {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const add = useAction(addCredits);
  const close = () => closePanel(paths.credits(path));
  const state = useEndpointForm<typeof addCredits, CreditValues>({
    endpoint: addCredits,
    values: { kind: "add", amount: "", note: "" },
    labels: { kind: "What to do", amount: "Amount", note: "Note" },
    fieldOf: { amount_usd: "amount" },
    input: (values) => ({ body: creditBody(values) }),
    problems: ({ amount }) => {
      const problem = creditProblem(amount);
      return problem === undefined ? {} : { amount: problem };
    },
    draft: "add-credits",
    submit: async (input) => {
      const { data } = await add.mutateAsync(input);
      state.guard.open();
      const amount = formatUsd(Math.abs(data.amount_usd));
      toast({ message: data.amount_usd > 0 ? `${amount} was added.` : `${amount} was removed.` });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title="Add credits"
      description="Once you add an entry, all keys together can spend no more than the sum of all entries."
      submitLabel="Save entry"
      onClose={close}
      finalFocus={() => document.getElementById("add-credits")}
    >
      <FieldGroup label="What to do">
        <Controller
          control={state.form.control}
          name="kind"
          render={({ field }) => (
            <RadioGroup label="What to do" value={field.value} onChange={field.onChange} className="flex gap-6">
              <Radio value="add" label="Add" />
              <Radio value="take" label="Remove" />
            </RadioGroup>
          )}
        />
      </FieldGroup>
      <Controller
        control={state.form.control}
        name="amount"
        render={({ field, fieldState }) => (
          <Field label="Amount, USD" error={fieldState.error?.message}>
            {(control) => (
              <MoneyInput
                {...control}
                ref={field.ref}
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                className="w-40"
              />
            )}
          </Field>
        )}
      />
      <Field
        label="Note"
        optional
        hint="Why, such as an invoice number. It stays in the audit log."
        error={state.form.formState.errors.note?.message}
      >
        {(control) => <TextInput {...control} {...state.form.register("note")} dir="auto" />}
      </Field>
    </FormPanel>
  );
}
