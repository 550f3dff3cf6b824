import { Search } from "lucide-react";
import { useState } from "react";
import type { ModelType } from "#contract/model-type.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { formatCount } from "../../format.ts";
import { modelTypes } from "../../shell/model-types.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { proposePick, type Pick as PickedModel } from "./picks.ts";

interface PickListProps {
  provider: Pick<ProviderRecord, "name" | "slug" | "kind" | "models" | "base_url">;
  /** the vendor's names */
  found: readonly string[];
  picks: readonly PickedModel[];
  problem: (pick: PickedModel) => string | null;
  onChange: (picks: PickedModel[]) => void;
}

/** A vendor may list a thousand; this many are drawn, and the filter finds the rest. */
const most = 100;

/** The vendor's list with a filter; what is ticked opens, to be named and priced. */
export function PickList({ provider, found, picks, problem, onChange }: PickListProps) {
  const [wanted, setWanted] = useState("");
  const there = new Map(provider.models.map((model) => [model.upstream_id, model.id]));
  const picked = new Map(picks.map((pick) => [pick.upstream_id, pick]));
  const matching = found.filter((name) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = matching.filter((name, index) => index < most || picked.has(name));
  const replace = (pick: PickedModel) =>
    onChange(picks.map((one) => (one.upstream_id === pick.upstream_id ? pick : one)));
  return (
    <div className="grid gap-2">
      <TextInput
        type="search"
        prefix={<Search size={14} aria-hidden="true" />}
        aria-label="Filter the provider's models"
        placeholder="Part of a name"
        spellCheck={false}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <p role="status" className="text-12 text-fg-3">
        {picks.length > 0 && `${formatCount(picks.length)} chosen · `}
        {matching.length > most
          ? `The first ${most} of ${formatCount(matching.length)}; filter to see others`
          : `${formatCount(matching.length)} of ${formatCount(found.length)}`}
      </p>
      <ul aria-label={`Models of ${provider.name}`}>
        {shown.map((name) => {
          const pick = picked.get(name);
          const listed = there.get(name);
          return (
            <li key={name} className="border-b border-line py-1">
              <Checkbox
                label={<span className="mono break-all">{name}</span>}
                hint={listed && `Listed already as ${listed}`}
                disabled={listed !== undefined}
                checked={pick !== undefined}
                onChange={(event) =>
                  onChange(
                    event.target.checked
                      ? [...picks, proposePick(name, { ...provider, baseUrl: provider.base_url })]
                      : picks.filter((one) => one.upstream_id !== name),
                  )
                }
              />
              {pick && <PickFields pick={pick} problem={problem(pick)} onChange={replace} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface PickFieldsProps {
  pick: PickedModel;
  problem: string | null;
  onChange: (pick: PickedModel) => void;
}

function PickFields({ pick, problem, onChange }: PickFieldsProps) {
  return (
    <div className="grid gap-1.5 pt-1 pb-2 pl-6">
      <div className="grid grid-cols-[minmax(0,1fr)_112px_124px] gap-2 max-md:grid-cols-1">
        <Field label="Model id">
          {(control) => (
            <TextInput
              {...control}
              mono
              spellCheck={false}
              autoCapitalize="none"
              value={pick.id}
              onChange={(event) => onChange({ ...pick, id: event.target.value })}
            />
          )}
        </Field>
        <Field label="Type">
          {(control) => (
            <NativeSelect
              {...control}
              value={pick.type}
              onChange={(event) => onChange({ ...pick, type: event.target.value as ModelType })}
            >
              {modelTypes.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="Input, per million">
          {(control) => (
            <TextInput
              {...control}
              prefix="$"
              figures
              inputMode="decimal"
              placeholder="unpriced"
              value={pick.price}
              onChange={(event) => onChange({ ...pick, price: event.target.value })}
            />
          )}
        </Field>
      </div>
      {pick.price.trim() === "" && (
        <p className="text-12 text-fg-3">
          Keys with a limit cannot use a model without a price, and neither can the playground. Enter 0 if it costs
          nothing.
        </p>
      )}
      {problem !== null && <FieldError>{problem}.</FieldError>}
    </div>
  );
}
