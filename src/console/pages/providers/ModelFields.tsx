import type { ModelType } from "#contract/model-type.ts";
import { Controller, useWatch, type UseFormReturn } from "react-hook-form";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, FieldGroup } from "../../ui/Field.tsx";
import { Chips, Segmented } from "../../ui/Segmented.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { modelTypes } from "../../shell/model-types.ts";
import { isRequired, membersOf, modelLabels as labels, type ModelValues } from "./model-form.ts";

interface ModelFieldsProps {
  form: UseFormReturn<ModelValues>;
  /** id and type are chosen once: callers name the one, the other decides what the model can do */
  isNew: boolean;
  /** computed by the gateway itself: its shape is fixed, its names and price are not */
  builtin: boolean;
}

const plain = { spellCheck: false, autoCapitalize: "none" } as const;
const modalities = ["text", "image", "audio", "file", "video"];

type NumberField =
  | "context_length"
  | "dimensions"
  | "dimensions_minimum"
  | "dimensions_maximum"
  | "max_batch"
  | "max_completion_tokens";

export function ModelFields({ form, isNew, builtin }: ModelFieldsProps) {
  const { errors } = form.formState;
  const type = useWatch({ control: form.control, name: "type" });
  const count = (name: NumberField, hint?: string) => (
    <Field label={labels[name]} optional error={errors[name]?.message} hint={hint}>
      {(control) => <TextInput {...control} {...form.register(name)} inputMode="numeric" figures />}
    </Field>
  );
  const embedding = type === "embedding";
  return (
    <>
      {isNew && (
        <>
          <Field
            label={labels.id}
            error={errors.id?.message}
            hint="author/slug: what callers write in model. Providers that list the same id can replace each other."
          >
            {(control) => <TextInput {...control} {...form.register("id")} {...plain} mono />}
          </Field>
          <Controller
            control={form.control}
            name="type"
            render={({ field }) => (
              <FieldGroup label={labels.type} error={errors.type?.message}>
                <Chips
                  label={labels.type}
                  value={field.value}
                  onChange={field.onChange}
                  choices={modelTypes.map(([value, label]) => ({ value, label }))}
                />
              </FieldGroup>
            )}
          />
        </>
      )}
      {!builtin && (
        <Field
          label={labels.upstream_id}
          error={errors.upstream_id?.message}
          hint="What is sent to the provider as model."
        >
          {(control) => <TextInput {...control} {...form.register("upstream_id")} {...plain} mono />}
        </Field>
      )}
      <Field label={labels.name} optional={isNew} error={errors.name?.message}>
        {(control) => <TextInput {...control} {...form.register("name")} dir="auto" />}
      </Field>
      <PriceFields form={form} />
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        {count("context_length", "Longer input is refused before it is sent.")}
        {!builtin && embedding && count("dimensions", "Of one vector.")}
        {!builtin && embedding && count("dimensions_minimum", "Where callers may ask for shorter vectors.")}
        {!builtin && embedding && count("dimensions_maximum")}
        {embedding && count("max_batch", "Longer batches are split.")}
        {type === "chat" && count("max_completion_tokens")}
      </div>
      {embedding && <InputFields form={form} builtin={builtin} />}
      <Controller
        control={form.control}
        name="input_modalities"
        render={({ field }) => (
          <FieldGroup label={labels.input_modalities} error={errors.input_modalities?.message}>
            <div className="flex flex-wrap gap-x-5">
              {modalities.map((one) => (
                <Checkbox
                  key={one}
                  label={one}
                  checked={field.value.includes(one)}
                  onChange={(event) =>
                    field.onChange(
                      modalities.filter((m) => (m === one ? event.target.checked : field.value.includes(m))),
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
        )}
      />
      <Field label={labels.description} optional error={errors.description?.message}>
        {(control) => <TextArea {...control} {...form.register("description")} rows={2} dir="auto" />}
      </Field>
    </>
  );
}

/** How inputs are embedded, so that every caller of an index does the same. */
function InputFields({ form, builtin }: Pick<ModelFieldsProps, "form" | "builtin">) {
  const { errors } = form.formState;
  const text = (name: "input_type" | "revision", hint: string) => (
    <Field label={labels[name]} optional error={errors[name]?.message} hint={hint}>
      {(control) => <TextInput {...control} {...form.register(name)} {...plain} mono />}
    </Field>
  );
  // A prefix may have line breaks, which a field of one line would drop.
  const prefix = (name: "query_prefix" | "document_prefix", hint: string) => (
    <Field label={labels[name]} optional error={errors[name]?.message} hint={hint}>
      {(control) => <TextArea {...control} {...form.register(name)} {...plain} rows={2} mono />}
    </Field>
  );
  return (
    <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
      {text("input_type", "For calls that give none, such as document.")}
      {text("revision", "Of the weights. Changing it names a new vector space.")}
      {!builtin && prefix("query_prefix", "Put before a text whose input type is query, instead of sending the type.")}
      {!builtin && prefix("document_prefix", "The same for document. A space at the end counts.")}
    </div>
  );
}

/** Of types that are billed by one of several units, seldom by two. */
const hints: Partial<Record<ModelType, Partial<Record<keyof typeof labels, string>>>> = {
  rerank: {
    prompt: "0 where the provider bills by search units.",
    request: "Or each search unit, where the provider bills by them, as Cohere does.",
  },
  speech: {
    character: "Of the text that is spoken.",
    prompt: "Where the provider bills the text by tokens.",
  },
  image: {
    output_image: "Of every other quality and size, if some are priced below.",
    prompt: "Where the provider bills by tokens.",
    completion: "The same, of the images.",
    image: "Each image to work from.",
  },
  video: {
    second: "Of every other size, if some are priced below.",
    request: "Each video, where the provider bills by them.",
    image: "Each image to work from.",
  },
  transcription: {
    second: "0.0001 is $0.006 a minute.",
    prompt: "Where the provider bills by tokens.",
  },
};

function PriceFields({ form }: { form: UseFormReturn<ModelValues> }) {
  const { errors } = form.formState;
  const [type, priced] = useWatch({ control: form.control, name: ["type", "priced"] });
  return (
    <Controller
      control={form.control}
      name="priced"
      render={({ field }) => (
        <FieldGroup
          label="Price, in USD"
          hint={
            field.value === "unpriced"
              ? "Only keys without a limit can use it; their calls are counted in tokens. With GATEHOUSE_UNPRICED=allow all keys can, and its calls use up no limit."
              : undefined
          }
        >
          <Segmented
            label="Price"
            value={field.value}
            onChange={field.onChange}
            choices={[
              { value: "priced", label: "Has a price" },
              { value: "unpriced", label: "No price known" },
            ]}
          />
          {priced === "priced" && (
            <div className="grid grid-cols-2 items-start gap-4 pt-2 max-md:grid-cols-1">
              {membersOf({ type }).map((member) => (
                <Field
                  key={member}
                  label={labels[member]}
                  hint={hints[type]?.[member]}
                  optional={!isRequired(member, { type })}
                  error={errors[member]?.message}
                >
                  {(control) => (
                    <TextInput {...control} {...form.register(member)} prefix="$" figures inputMode="decimal" />
                  )}
                </Field>
              ))}
              {type === "image" && (
                <Field
                  label={labels.output_images}
                  optional
                  error={errors.output_images?.message}
                  hint="A line each: a quality, a size or both, and the price, such as high 1024x1536 0.25."
                >
                  {(control) => <TextArea {...control} {...form.register("output_images")} {...plain} rows={3} mono />}
                </Field>
              )}
              {type === "video" && (
                <Field
                  label={labels.seconds}
                  optional
                  error={errors.seconds?.message}
                  hint="A line each: a size and the price of a second, such as 1080p 0.25 or 1280x720 0.1."
                >
                  {(control) => <TextArea {...control} {...form.register("seconds")} {...plain} rows={3} mono />}
                </Field>
              )}
            </div>
          )}
        </FieldGroup>
      )}
    />
  );
}
