import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { type BudgetRecord, BudgetInterval, upsertWorkspaceBudget } from "#contract/budgets.ts";
import { useVersionedChange, type Versioned } from "../../api/versioned.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { useNewerVersion } from "../../form/newer-version.ts";
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
import { budgetProblem, budgetWords, intervalNames, intervalOf, intervals } from "./budget-labels.ts";
import { type Budgets, useBudgets, versionedBudgets } from "./use-budgets.ts";

interface BudgetValues {
  limit: string;
  includeByok: boolean;
}

/** Sets or changes the budget of one interval. The page behind it shows budgets that did not load. */
export function BudgetPanel() {
  const { id = "", interval = "" } = useParams({ strict: false });
  const known = BudgetInterval.safeParse(interval);
  const { workspace } = useBudgets(id);
  const { data } = useQuery(versionedBudgets(id));
  if (!known.success || data === undefined) return null;
  const name = workspace?.name ?? id;
  return <BudgetForm key={interval} {...{ workspaceId: id, name, interval: known.data, latest: data }} />;
}

interface BudgetFormProps {
  workspaceId: string;
  name: string;
  interval: BudgetInterval;
  latest: Versioned<Budgets>;
}

function BudgetForm({ workspaceId, name, interval, latest }: BudgetFormProps) {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const [began, setBegan] = useState(latest);
  const change = useVersionedChange(upsertWorkspaceBudget, versionedBudgets(workspaceId));
  const budgets = began.record.data;
  const stored = budgets.find((budget) => intervalOf(budget) === interval);
  const others = budgets.filter((budget) => budget !== stored);
  const budgetName = intervalNames[interval];
  const close = () => closePanel(paths.workspaceBudgets(path, workspaceId));
  const state = useEndpointForm<typeof upsertWorkspaceBudget, BudgetValues>({
    endpoint: upsertWorkspaceBudget,
    values: formOf(began.record, interval),
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
      const spent = latest.record.data.find((budget) => intervalOf(budget) === interval)?.spent_usd ?? 0;
      if (stored === undefined || !("usd" in amount) || spent < amount.usd) return null;
      return {
        title: "This stops the workspace's paid calls right now. Save it?",
        text: `${formatUsd(spent)} is already spent in this interval: calls get 403 until it resets.`,
        confirm: "Save and stop them",
      };
    },
    submit: async (input) => {
      const { record } = await change(input, began.etag);
      state.guard.open();
      toast({ message: `The ${budgetName} of ${name} is ${formatUsd(record.limit_usd)}.` });
      close();
    },
  });
  const theirs = useNewerVersion(state, {
    latest,
    began,
    follow: setBegan,
    formOf: (record) => formOf(record, interval),
    words: budgetWords,
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
      <ConflictNotice noun="workspace’s budgets" changes={theirs} />
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

function formOf({ data, include_byok_in_budgets }: Budgets, interval: BudgetInterval): BudgetValues {
  const stored = data.find((budget) => intervalOf(budget) === interval);
  return { limit: stored === undefined ? "" : usdText(stored.limit_usd), includeByok: include_byok_in_budgets };
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
