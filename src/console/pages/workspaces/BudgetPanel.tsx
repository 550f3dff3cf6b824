import { useParams } from "@tanstack/react-router";
import { Controller } from "react-hook-form";
import { type BudgetRecord, BudgetInterval, upsertWorkspaceBudget } from "#contract/budgets.ts";
import { useAction } from "../../api/action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { MoneyInput } from "../../form/MoneyInput.tsx";
import { parseUsd, usdText } from "../../form/usd.ts";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field } from "../../ui/Field.tsx";
import { toast } from "../../ui/toast.ts";
import { budgetActionId } from "./BudgetRow.tsx";
import { budgetProblem, intervalNames, intervalOf, intervals } from "./budget-labels.ts";
import { useBudgets } from "./use-budgets.ts";

interface BudgetValues {
  limit: string;
  includeByok: boolean;
}

/** Sets or changes the budget of one interval. The page behind it shows budgets that did not load. */
export function BudgetPanel() {
  const { id = "", interval = "" } = useParams({ strict: false });
  const known = BudgetInterval.safeParse(interval);
  const { workspace, budgets } = useBudgets(id);
  if (!known.success || budgets.data === undefined) return null;
  return (
    <BudgetForm
      key={interval}
      workspaceId={id}
      name={workspace?.name ?? id}
      interval={known.data}
      budgets={budgets.data.data}
      includeByok={budgets.data.include_byok_in_budgets}
    />
  );
}

interface BudgetFormProps {
  workspaceId: string;
  name: string;
  interval: BudgetInterval;
  budgets: readonly BudgetRecord[];
  includeByok: boolean;
}

function BudgetForm({ workspaceId, name, interval, budgets, includeByok }: BudgetFormProps) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const set = useAction(upsertWorkspaceBudget);
  const stored = budgets.find((budget) => intervalOf(budget) === interval);
  const others = budgets.filter((budget) => budget !== stored);
  const budgetName = intervalNames[interval];
  const close = () => closePanel(paths.workspaceBudgets(path, workspaceId));
  const state = useEndpointForm<typeof upsertWorkspaceBudget, BudgetValues>({
    endpoint: upsertWorkspaceBudget,
    values: { limit: stored === undefined ? "" : usdText(stored.limit_usd), includeByok },
    labels: { limit: "Budget", includeByok: "BYOK" },
    fieldOf: { limit_usd: "limit", include_byok_in_budgets: "includeByok" },
    input: (values) => {
      const amount = parseUsd(values.limit);
      return {
        params: { id: workspaceId, interval },
        body: { limit_usd: "usd" in amount ? amount.usd : 0, include_byok_in_budgets: values.includeByok },
      };
    },
    problems: (values) => {
      const limit = budgetProblem(values.limit, interval, others);
      return limit === undefined ? {} : { limit };
    },
    ask: ({ limit }) => {
      const amount = parseUsd(limit);
      if (stored === undefined || !("usd" in amount) || stored.spent_usd < amount.usd) return null;
      return {
        title: "This stops the workspace's paid calls right now. Save it?",
        text: `${formatUsd(stored.spent_usd)} is already spent in this interval: calls get 403 until it resets.`,
        confirm: "Save and stop them",
      };
    },
    submit: async (input) => {
      const { data } = await set.mutateAsync(input);
      state.guard.open();
      toast({ message: `The ${budgetName} of ${name} is ${formatUsd(data.limit_usd)}.` });
      close();
    },
  });
  const dirty = state.form.formState.isDirty;
  return (
    <FormPanel
      form={state}
      title={`${stored === undefined ? "Set" : "Change"} the ${budgetName} of ${name}`}
      submitLabel={stored === undefined ? "Set budget" : "Save changes"}
      onClose={close}
      finalFocus={() => document.getElementById(budgetActionId(interval))}
      disabledReason={stored !== undefined && !dirty ? "No changes yet." : undefined}
    >
      <Controller
        control={state.form.control}
        name="limit"
        render={({ field, fieldState }) => (
          <Field label="Budget, USD" hint={bounds(interval, others)} error={fieldState.error?.message}>
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
      <Checkbox
        {...state.form.register("includeByok")}
        label="Count calls with the workspace's own provider keys"
        hint="For all four budgets of the workspace."
      />
    </FormPanel>
  );
}

/** Between which amounts it has to lie, where others bound it. */
function bounds(interval: BudgetInterval, others: readonly BudgetRecord[]): string {
  const own = intervals.indexOf(interval);
  const place = (budget: BudgetRecord) => intervals.indexOf(intervalOf(budget));
  const least = Math.max(...others.filter((one) => place(one) < own).map((one) => one.limit_usd));
  const most = Math.min(...others.filter((one) => place(one) > own).map((one) => one.limit_usd));
  if (!Number.isFinite(least) && !Number.isFinite(most)) return "What all its keys together may spend.";
  if (!Number.isFinite(least)) return `Less than ${formatUsd(most)}, the next longer budget.`;
  if (!Number.isFinite(most)) return `More than ${formatUsd(least)}, the next shorter budget.`;
  return `More than ${formatUsd(least)} and less than ${formatUsd(most)}, the budgets next to it.`;
}
