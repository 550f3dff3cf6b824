import { Controller, type UseFormReturn } from "react-hook-form";
import type { ProviderPreset } from "#contract/providers.ts";
import { FieldError } from "../../ui/Field.tsx";
import { PickList } from "./PickList.tsx";
import { pickProblem } from "./picks.ts";
import { presetOf, type ProviderValues } from "./provider-form.ts";

interface NewModelsProps {
  form: UseFormReturn<ProviderValues>;
  preset: ProviderPreset;
  /** the vendor's names, as the last test found them */
  found: readonly string[];
}

/** The models that a new provider begins with, chosen from what the vendor said it has. */
export function NewModels({ form, preset, found }: NewModelsProps) {
  const { name, slug, models, base_url } = form.watch();
  // what is chosen stays in sight after an edit that makes the test's answer out of date
  const names = [...new Set([...found, ...models.map(({ upstream_id }) => upstream_id)])];
  if (names.length === 0) return null;
  const error = (form.formState.errors.models as { message?: string } | undefined)?.message;
  return (
    <section aria-label="Models to begin with" className="grid gap-2">
      <p className="text-12 text-fg-2">Choose the models to begin with, or choose them later on the provider’s page.</p>
      {error && <FieldError>{error}</FieldError>}
      <Controller
        control={form.control}
        name="models"
        render={({ field }) => (
          <PickList
            provider={{ name, slug: slug.trim(), kind: presetOf(preset).kind, models: [], base_url: base_url.trim() }}
            found={names}
            picks={field.value}
            problem={(pick) => pickProblem(pick, new Set(), field.value)}
            onChange={field.onChange}
          />
        )}
      />
    </section>
  );
}
