import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { everyProvider } from "../../api/providers.ts";
import { changeModels } from "../../api/use-models.ts";
import { FormFailure } from "../../form/FormFailure.tsx";
import { perToken, readPrice } from "../../token-price.ts";
import { Button } from "../../ui/Button.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { TextInput } from "../../ui/TextInput.tsx";

/** Says before a run that a model without a price would be refused, with the field for its price. */
export function UnpricedModel({ model }: { model: string }) {
  const client = useQueryClient();
  const providers = useQuery(everyProvider).data?.data ?? [];
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const offering = providers.filter(({ models }) => models.some(({ id, pricing }) => id === model && pricing === null));
  const save = useMutation({
    mutationFn: async (price: string) => {
      for (const { slug } of offering)
        await changeModels(client, slug, (models) =>
          // what is left out stays
          models.map(({ id, upstream_id, type, pricing }) => ({
            id,
            upstream_id,
            type,
            ...(id === model && pricing === null && { pricing: { prompt: price } }),
          })),
        );
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const read = readPrice(typed, 12);
    setProblem("problem" in read ? read.problem : null);
    if ("price" in read) save.mutate(perToken(read.price));
  }
  return (
    <Notice tone="warn" role="status" className="mt-3.5">
      <p>
        <b className="font-semibold">{model} has no price</b>, and the playground’s key has a limit: its calls would be
        refused. A model on your own machine costs $0.
      </p>
      {offering.length > 0 && (
        <form onSubmit={submit} className="flex flex-wrap items-center gap-2 pt-1.5">
          <TextInput
            size="sm"
            prefix="$"
            figures
            inputMode="decimal"
            className="w-28"
            aria-label={`Price of ${model} at ${offering.map(({ name }) => name).join(" and ")}, in USD per million input tokens`}
            aria-invalid={problem !== null}
            placeholder="0.02"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <span className="text-12 text-fg-2">
            per million input tokens at {offering.map(({ name }) => name).join(" and ")}
          </span>
          <Button size="sm" type="submit" pending={save.isPending}>
            Set the price
          </Button>
          {problem !== null && <FieldError>{problem}.</FieldError>}
        </form>
      )}
      <FormFailure failure={save.error} />
    </Notice>
  );
}
