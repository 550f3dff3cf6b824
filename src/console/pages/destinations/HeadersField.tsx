import { Plus, X } from "lucide-react";
import { SecretField } from "../../form/SecretField.tsx";
import { Button } from "../../ui/Button.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { isHeaders, maskOf, type HeaderDraft } from "./draft.ts";
import { at, type Editing } from "./editor.ts";
import { headerPath } from "./problems.ts";

/** Extra request headers. Their values are secrets: a stored one is kept, replaced or removed, like any other. */
export function HeadersField({ editing }: { editing: Editing }) {
  const { base, draft, setMember, problem, touch } = editing;
  const value = draft.config["headers"] ?? "";
  const headers = isHeaders(value) ? value : [];
  const set = (index: number, next: HeaderDraft) =>
    setMember(
      "headers",
      headers.map((one, place) => (place === index ? next : one)),
    );
  return (
    <fieldset className="grid min-w-0 gap-2.5">
      <legend className="contents">
        <span className="text-12">
          <span className="font-semibold">Extra headers</span> <span className="text-fg-3">(optional)</span>
        </span>
      </legend>
      {headers.map((header, index) => {
        const path = headerPath(index);
        const error = problem(path);
        const mask = maskOf(base, "headers", header.name);
        const shown = header.name.trim() || `header ${index + 1}`;
        // a header that is stored keeps its name: under another one it would be a new header
        if (mask !== null && index < storedCount(base))
          return (
            <div key={header.name} {...at(path)}>
              <SecretField
                label={header.name}
                mask={mask}
                value={header.value}
                onChange={(next) => set(index, { ...header, value: next })}
                onBlur={() => touch(path)}
                error={error}
                optional
              />
            </div>
          );
        return (
          <div key={index} {...at(path)} className="grid gap-1.5">
            <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-end gap-2">
              <Field label="Name">
                {(control) => (
                  <TextInput
                    {...control}
                    aria-invalid={error ? true : undefined}
                    mono
                    spellCheck={false}
                    placeholder="Authorization"
                    value={header.name}
                    onChange={(event) => set(index, { ...header, name: event.target.value })}
                  />
                )}
              </Field>
              <Field label="Value">
                {(control) => (
                  <PasswordInput
                    {...control}
                    autoComplete="new-password"
                    data-1p-ignore
                    data-lpignore="true"
                    data-bwignore
                    placeholder="Bearer 1a2b3c4d…"
                    value={header.value.text}
                    onChange={(event) => set(index, { ...header, value: { state: "typed", text: event.target.value } })}
                    onBlur={() => touch(path)}
                  />
                )}
              </Field>
              <IconButton
                label={`Remove ${shown}`}
                onClick={() =>
                  setMember(
                    "headers",
                    headers.filter((_, place) => place !== index),
                  )
                }
              >
                <X size={14} aria-hidden="true" />
              </IconButton>
            </div>
            {error && <FieldError>{error}</FieldError>}
          </div>
        );
      })}
      <Button
        size="sm"
        className="w-fit"
        icon={<Plus size={12} aria-hidden="true" />}
        onClick={() => setMember("headers", [...headers, { name: "", value: { state: "typed", text: "" } }])}
      >
        Header
      </Button>
    </fieldset>
  );
}

function storedCount(base: Editing["base"]): number {
  return Object.keys(base?.config["headers"] ?? {}).length;
}
