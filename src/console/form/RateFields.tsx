import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { TextInput } from "../ui/TextInput.tsx";
import type { RateField } from "./per-minute.ts";

interface RateFieldsProps<Name extends string> {
  fields: Readonly<Record<Name, RateField>>;
  register: (name: NoInfer<Name>) => UseFormRegisterReturn;
  errors: { readonly [K in NoInfer<Name>]?: { message?: string | undefined } | undefined };
}

/** Whole numbers side by side, such as how much may be used in any sixty seconds. Empty is no limit. */
export function RateFields<Name extends string>({ fields, register, errors }: RateFieldsProps<Name>) {
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      {(Object.keys(fields) as Name[]).map((name) => (
        <Field key={name} label={fields[name].label} optional hint={fields[name].hint} error={errors[name]?.message}>
          {(control) => <TextInput {...control} {...register(name)} figures inputMode="numeric" spellCheck={false} />}
        </Field>
      ))}
    </div>
  );
}
