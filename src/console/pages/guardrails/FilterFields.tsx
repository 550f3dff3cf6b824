import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Controller, useWatch } from "react-hook-form";
import type { FilterAction } from "#contract/content-filter-match.ts";
import { type BuiltinSlug, mostContentFilters } from "#contract/guardrails.ts";
import { Button } from "../../ui/Button.tsx";
import { FieldError, FieldGroup } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { FormSection } from "./FormSection.tsx";
import { TryFilters } from "./TryFilters.tsx";
import {
  emptyPattern,
  guardrailLabels as labels,
  injection,
  offeredBuiltins,
  type PatternValues,
  type GuardrailForm,
} from "./guardrail-form.ts";
import { actionWords, builtinNames } from "../../api/guardrail-words.ts";

const actions = (Object.keys(actionWords) as FilterAction[]).map((action) => [action, actionWords[action]] as const);

/** What is looked for in the texts of a call, and what happens where it is found. */
export function FilterFields({ form }: { form: GuardrailForm }) {
  return (
    <FormSection
      title="Content filters"
      about="They read what callers send, not what models answer. Block refuses the call with 403, redact replaces what is found before the call leaves, flag only records it."
    >
      <BuiltinFields form={form} />
      <PatternFields form={form} />
      <TryFilters form={form} />
    </FormSection>
  );
}

function BuiltinFields({ form }: { form: GuardrailForm }) {
  const error = form.formState.errors.builtins?.message;
  return (
    <Controller
      control={form.control}
      name="builtins"
      render={({ field }) => {
        const offered: readonly BuiltinSlug[] = offeredBuiltins;
        const others = (Object.keys(field.value) as BuiltinSlug[]).filter((slug) => !offered.includes(slug));
        return (
          <FieldGroup label={labels.builtins} optional error={error}>
            <ul className="border-t border-line">
              {[...offered, ...others].map((slug) => (
                <li
                  key={slug}
                  className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1"
                >
                  <span className="min-w-0 grow">{builtinNames[slug]}</span>
                  <NativeSelect
                    size="sm"
                    aria-label={builtinNames[slug]}
                    value={field.value[slug] ?? ""}
                    onChange={({ target }) => {
                      const { [slug]: _, ...rest } = field.value;
                      field.onChange(target.value === "" ? rest : { ...rest, [slug]: target.value });
                    }}
                    className="w-24 max-md:w-28"
                  >
                    <option value="">Off</option>
                    {actions.map(([value, words]) => (
                      <option key={value} value={value}>
                        {words}
                      </option>
                    ))}
                  </NativeSelect>
                  {slug === injection && field.value[slug] !== undefined && (
                    <div className="flex basis-full justify-end">
                      <NativeSelect
                        {...form.register("injectionScope")}
                        size="sm"
                        aria-label="Where prompt injection is looked for"
                        className="w-50 max-md:w-full"
                      >
                        <option value="all_messages">In all messages</option>
                        <option value="user_only">In users' messages only</option>
                      </NativeSelect>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </FieldGroup>
        );
      }}
    />
  );
}

const patternGrid =
  "grid grid-cols-[minmax(0,1fr)_8.5rem_6.5rem_1.75rem] items-center gap-2 max-md:grid-cols-[minmax(0,1fr)_7rem_2.25rem]";

function PatternFields({ form }: { form: GuardrailForm }) {
  const patterns = useWatch({ control: form.control, name: "patterns" });
  // rows are numbered, so that what follows one that is removed is another row from then on
  const [removals, setRemovals] = useState(0);
  const add = useRef<HTMLButtonElement>(null);
  const error = (form.formState.errors.patterns as { message?: string } | undefined)?.message;
  const set = (next: PatternValues[]) => form.setValue("patterns", next, { shouldDirty: true });
  const append = () => {
    flushSync(() => set([...patterns, emptyPattern]));
    form.setFocus(`patterns.${patterns.length}.pattern`);
  };
  const remove = (position: number) => {
    flushSync(() => {
      set(patterns.toSpliced(position, 1));
      form.unregister(`patterns.${patterns.length - 1}`, { keepValue: true });
      form.clearErrors("patterns");
      setRemovals(removals + 1);
    });
    if (patterns.length > 1) form.setFocus(`patterns.${Math.max(0, position - 1)}.pattern`);
    else add.current?.focus();
  };
  return (
    <FieldGroup
      label={labels.patterns}
      optional
      error={error}
      hint="Regular expressions in RE2's syntax. The label replaces what was redacted: PROJECT becomes [PROJECT]."
    >
      {patterns.length > 0 && (
        <ul className="grid gap-2 max-md:gap-3">
          <li aria-hidden="true" className={`${patternGrid} text-12 text-fg-3 max-md:hidden`}>
            <span>Pattern</span>
            <span>Label</span>
            <span>Action</span>
          </li>
          {patterns.map((_, position) => (
            <PatternRow
              key={`${removals} ${position}`}
              form={form}
              position={position}
              onRemove={() => remove(position)}
            />
          ))}
        </ul>
      )}
      <div>
        <Button
          ref={add}
          size="sm"
          icon={<Plus size={13} aria-hidden="true" />}
          disabledReason={patterns.length >= mostContentFilters && `At most ${mostContentFilters} patterns`}
          onClick={append}
        >
          Add a pattern
        </Button>
      </div>
    </FieldGroup>
  );
}

interface PatternRowProps {
  form: GuardrailForm;
  position: number;
  onRemove: () => void;
}

function PatternRow({ form, position, onRemove }: PatternRowProps) {
  const errors = form.formState.errors.patterns?.[position];
  const message = errors?.pattern?.message ?? errors?.label?.message;
  const errorId = `pattern-${position}-error`;
  const action = useWatch({ control: form.control, name: `patterns.${position}.action` });
  const name = `pattern ${position + 1}`;
  const trouble = (wrong: unknown) => ({
    "aria-invalid": wrong ? (true as const) : undefined,
    "aria-describedby": wrong ? errorId : undefined,
  });
  return (
    <li className="grid gap-1">
      <div className={patternGrid}>
        <TextInput
          {...form.register(`patterns.${position}.pattern`)}
          {...trouble(errors?.pattern)}
          aria-label={`Pattern ${position + 1}`}
          mono
          spellCheck={false}
          autoCapitalize="none"
          placeholder="PROJ-\d{4}"
          className="max-md:col-span-3"
        />
        <TextInput
          {...form.register(`patterns.${position}.label`)}
          {...trouble(errors?.label)}
          aria-label={`Label of ${name}`}
          spellCheck={false}
          placeholder={action === "redact" ? "REDACTED" : "Label"}
        />
        <NativeSelect {...form.register(`patterns.${position}.action`)} aria-label={`Action of ${name}`}>
          {actions.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <X size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {message !== undefined && <FieldError id={errorId}>{message}</FieldError>}
    </li>
  );
}
