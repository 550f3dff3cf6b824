import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/Field.tsx";
import { TextInput } from "../ui/TextInput.tsx";

interface RateFieldsProps {
  requests: UseFormRegisterReturn;
  tokens: UseFormRegisterReturn;
  errors: {
    requests?: { message?: string | undefined } | undefined;
    tokens?: { message?: string | undefined } | undefined;
  };
  /** what is said of an empty field */
  hint: string;
}

/** How much may be used in any sixty seconds. Empty is no limit. */
export function RateFields({ requests, tokens, errors, hint }: RateFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <Field label="Requests a minute" optional hint={hint} error={errors.requests?.message}>
        {(control) => <TextInput {...control} {...requests} figures inputMode="numeric" spellCheck={false} />}
      </Field>
      <Field
        label="Tokens a minute"
        optional
        hint="As the vendor counts them. Calls over a rate get 429."
        error={errors.tokens?.message}
      >
        {(control) => <TextInput {...control} {...tokens} figures inputMode="numeric" spellCheck={false} />}
      </Field>
    </div>
  );
}
