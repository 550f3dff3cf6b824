import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Controller } from "react-hook-form";
import { type ProviderRecord, updateProvider } from "#contract/providers.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { listWith } from "./model-form.ts";
import { pickedModel, pickProblem, type Pick } from "./picks.ts";
import { PickList } from "./PickList.tsx";
import { ProviderPanel } from "./ProviderPanel.tsx";
import { TestResult } from "./TestResult.tsx";
import { useModels } from "../../api/use-models.ts";
import { useCloseToProvider } from "./use-provider.ts";
import { useTest } from "./use-test.ts";

interface PickValues {
  models: Pick[];
}

/** Adds models by choosing from what the vendor says it has. */
export function PickModelsPanel() {
  return (
    <ProviderPanel title="Choose models">
      {(provider) => <PickForm key={provider.slug} provider={provider} />}
    </ProviderPanel>
  );
}

function PickForm({ provider }: { provider: ProviderRecord }) {
  const { path } = useWorkspace();
  const close = useCloseToProvider();
  const change = useModels(provider.slug);
  const test = useTest(provider.slug);
  const { run } = test;
  // the question costs nothing, and its answer is what the panel is for
  useEffect(() => run(), []); // oxlint-disable-line react-hooks/exhaustive-deps -- once, on opening
  const listed = new Set(provider.models.map(({ id }) => id));
  const state = useEndpointForm<typeof updateProvider, PickValues>({
    endpoint: updateProvider,
    values: { models: [] },
    labels: { models: "The choice" },
    input: ({ models }) => ({ params: { slug: provider.slug }, body: { models: models.map(pickedModel) } }),
    problems: ({ models }) => {
      const wrong = models.filter((pick) => pickProblem(pick, listed, models) !== null).length;
      if (models.length === 0) return { models: "Choose at least one" };
      return wrong === 0
        ? {}
        : { models: wrong === 1 ? "One of them needs a correction" : `${wrong} of them need a correction` };
    },
    submit: async (_, { models }) => {
      await change((present) => listWith(present, models.map(pickedModel)));
      state.guard.open();
      const unpriced = models.filter(({ price }) => price.trim() === "").length;
      toast({
        message: models.length === 1 ? `${models[0]?.id} was added.` : `${models.length} models were added.`,
        detail: unpriced > 0 ? `${unpriced} without a price` : undefined,
      });
      close();
    },
  });
  const found = test.result?.ok ? test.result.models : [];
  const problem = (state.form.formState.errors.models as { message?: string } | undefined)?.message;
  return (
    <FormPanel
      form={state}
      title={`Choose models of ${provider.name}`}
      submitLabel="Add models"
      onClose={close}
      summary={problem && <p className="text-12 text-bad-fg">{problem}.</p>}
    >
      {test.isPending && <Waiting />}
      <TestResult name={provider.name} test={test} />
      {!test.isPending && found.length === 0 && (test.result !== undefined || test.error !== null) && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="sm" onClick={run}>
            Test again
          </Button>
          <Link to={paths.editProvider(path, provider.slug)} className={linkTextClass}>
            Edit the address or the key
          </Link>
          <Link to={paths.newModel(path, provider.slug)} className={linkTextClass}>
            Add a model by hand
          </Link>
        </div>
      )}
      {found.length > 0 && (
        <Controller
          control={state.form.control}
          name="models"
          render={({ field }) => (
            <PickList
              provider={provider}
              found={found}
              picks={field.value}
              problem={(pick) => pickProblem(pick, listed, field.value)}
              onChange={field.onChange}
            />
          )}
        />
      )}
    </FormPanel>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-3">
      {[240, 180, 260, 210, 190].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
