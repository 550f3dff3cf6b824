import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { VectorSpaceId } from "#contract/embeddings.ts";
import type { ModelRecord } from "#contract/models.ts";
import { everyProvider } from "../../api/providers.ts";
import { useStore } from "../../api/store.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { LinkButton } from "../../ui/LinkText.tsx";
import { change, currentRun, type PlaygroundStore } from "./playground.ts";
import type { PlaygroundSearch } from "./settings.ts";

interface RoutingDialogProps {
  store: PlaygroundStore;
  search: PlaygroundSearch;
  model: ModelRecord | undefined;
  set: (next: Partial<PlaygroundSearch>) => void;
  onDone: () => void;
}

/** Who may serve a call, and what goes along with the texts. Changes count at once. */
export function RoutingDialog({ store, search, model, set, onDone }: RoutingDialogProps) {
  const { prefixes } = useStore(store);
  const range = model?.dimensions;
  return (
    <Dialog
      title="Routing and request"
      onDismiss={onDone}
      outside="dismiss"
      footer={
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      }
    >
      <div className="grid gap-4 pt-3">
        <ProviderOrder search={search} model={model} set={set} />
        <Switch
          label="Fall back to the next provider"
          checked={search.fallbacks !== false}
          onChange={(on) => set({ fallbacks: on ? undefined : false })}
        />
        <Switch
          label="Providers may keep what is sent"
          checked={search.collect !== false}
          onChange={(on) => set({ collect: on ? undefined : false })}
        />
        <Switch
          label="Cut texts that are too long"
          checked={search.cut === true}
          onChange={(on) => set({ cut: on || undefined })}
        />
        <Switch
          label="Send each row’s role as input_type"
          checked={search.roles === true}
          onChange={(on) => set({ roles: on || undefined })}
        />
        <Field
          label="Dimensions"
          optional
          hint={
            range === undefined || range === null
              ? "Not known for this model."
              : range.minimum === range.maximum
                ? `This model makes ${range.default} only.`
                : `${range.minimum} to ${range.maximum}. Default: ${range.default}.`
          }
        >
          {(control) => (
            <TextInput
              {...control}
              figures
              inputMode="numeric"
              className="w-32"
              defaultValue={search.dimensions ?? ""}
              onChange={(event) => {
                const typed = Number(event.target.value);
                set({ dimensions: Number.isSafeInteger(typed) && typed > 0 ? typed : undefined });
              }}
            />
          )}
        </Field>
        <RequiredSpace store={store} search={search} set={set} />
        <Field label="Ask first above" optional hint="Ask before runs above this cost. Default: $1.00.">
          {(control) => (
            <TextInput
              {...control}
              prefix="$"
              figures
              inputMode="decimal"
              className="w-32"
              defaultValue={search.ceiling ?? ""}
              onChange={(event) => {
                const typed = Number(event.target.value.replace(",", "."));
                set({ ceiling: event.target.value !== "" && Number.isFinite(typed) && typed >= 0 ? typed : undefined });
              }}
            />
          )}
        </Field>
        {(["query", "document"] as const).map((role) => (
          <Field
            key={role}
            label={`Put before each ${role}`}
            optional
            hint="For models that were trained with a prefix. Not stored in the page’s address."
          >
            {(control) => (
              <TextInput
                {...control}
                mono
                value={prefixes[role]}
                onChange={(event) => change(store, { prefixes: { ...prefixes, [role]: event.target.value } })}
              />
            )}
          </Field>
        ))}
      </div>
    </Dialog>
  );
}

/** An index takes vectors of one space only: what would be of another one is refused before it is sent. */
function RequiredSpace({ store, search, set }: Pick<RoutingDialogProps, "store" | "search" | "set">) {
  const run = currentRun(useStore(store));
  const [typed, setTyped] = useState(search.space ?? "");
  const isWrong = typed !== "" && !VectorSpaceId.safeParse(typed).success;
  const [only, ...others] = run?.progress.spaces ?? [];
  function take(text: string) {
    setTyped(text);
    set({ space: VectorSpaceId.safeParse(text).success ? text : undefined });
  }
  return (
    <Field
      label="Required vector space"
      optional
      error={isWrong ? "Enter an id such as vs_1f0a93c27be45d6680aa-1536, or nothing" : null}
      hint={
        search.roles === true
          ? "Providers with a different vector space are skipped. With input types, queries and documents have two spaces: one of them would be refused."
          : "Providers with a different vector space are skipped. If none is left, the call is refused."
      }
      aside={
        only !== undefined &&
        others.length === 0 &&
        only !== typed && <LinkButton onClick={() => take(only)}>The one of run {run?.id}</LinkButton>
      }
    >
      {(control) => (
        <TextInput
          {...control}
          mono
          spellCheck={false}
          placeholder="vs_…"
          value={typed}
          onChange={(event) => take(event.target.value.trim())}
        />
      )}
    </Field>
  );
}

/** The providers that serve the model, those that are asked first in front. */
function ProviderOrder({ search, model, set }: Pick<RoutingDialogProps, "search" | "model" | "set">) {
  const providers = useQuery(everyProvider);
  const order = search.order?.split(",").filter(Boolean) ?? [];
  const serving = (providers.data?.data ?? []).filter(({ models }) => models.some(({ id }) => id === model?.id));
  const put = (slugs: string[]) => set({ order: slugs.length > 0 ? slugs.join(",") : undefined });
  return (
    <FieldGroup label="Providers in this order" hint="If you choose none, any that serves the model may answer.">
      {[...order, ...serving.map(({ slug }) => slug).filter((slug) => !order.includes(slug))].map((slug) => (
        <div key={slug} className="flex items-center gap-2">
          <Checkbox
            label={slug}
            checked={order.includes(slug)}
            onChange={(event) => put(event.target.checked ? [...order, slug] : order.filter((other) => other !== slug))}
          />
          <span className="grow" />
          {order.includes(slug) && (
            <MoveButtons
              name={slug}
              place={order.indexOf(slug)}
              count={order.length}
              onMove={(by) => {
                const at = order.indexOf(slug);
                put(order.toSpliced(at, 1).toSpliced(at + by, 0, slug));
              }}
            />
          )}
        </div>
      ))}
    </FieldGroup>
  );
}
