import type { ClipboardEvent } from "react";
import { type ConfigMember, configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { now } from "../../api/clock.ts";
import { fieldHint } from "./field-hints.ts";
import { placeholderOf } from "./kind-help.ts";
import { parseEnv } from "./parse-env.ts";
import { SecretField } from "../../form/SecretField.tsx";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import { TestButton } from "./TestButton.tsx";
import type { ConnectionTest } from "./use-connection-test.ts";
import { isHeaders, maskOf } from "./draft.ts";
import { at, type Editing } from "./editor.ts";
import { formMembers } from "./kinds.ts";

interface MemberFieldProps {
  name: string;
  member: ConfigMember;
  editing: Editing;
  test: ConnectionTest;
  /** for a stored secret: when it was set and by whom */
  set: string | undefined;
}

/** One member of a kind's config, as its form says: a text, an address, a choice or a secret. */
export function MemberField({ name, member, editing, test, set }: MemberFieldProps) {
  const { type, base, draft, setMember, problem, touch } = editing;
  const path = `config.${name}`;
  const value = draft.config[name] ?? "";
  const error = problem(path);
  const seen = () => touch(path);
  const paste = usePaste(editing);
  const placeholder = placeholderOf(type, name, member);
  if (isHeaders(value)) return null;
  if (typeof value !== "string") {
    return (
      <div {...at(path)} onPasteCapture={paste}>
        <SecretField
          label={member.title}
          mask={maskOf(base, name)}
          value={value}
          onChange={(next) => setMember(name, next)}
          onBlur={seen}
          error={error}
          placeholder={placeholder}
          optional={!member.required}
          set={set}
          actions={<TestButton test={test} size="sm" />}
        />
      </div>
    );
  }
  return (
    <div {...at(path)} onPasteCapture={paste}>
      <Field label={member.title} optional={!member.required} error={error} hint={hintOf(editing, name, member)}>
        {(control) =>
          member.choices ? (
            <NativeSelect
              {...control}
              className="w-48"
              value={value || member.default}
              onChange={(event) => setMember(name, event.target.value)}
            >
              {member.choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </NativeSelect>
          ) : (
            <TextInput
              {...control}
              mono
              spellCheck={false}
              autoCapitalize="off"
              inputMode={member.form === "url" ? "url" : undefined}
              placeholder={placeholder}
              value={value}
              onChange={(event) => setMember(name, event.target.value)}
              onBlur={seen}
            />
          )
        }
      </Field>
    </div>
  );
}

/** Something is stored that another host must not get. */
function hasSecrets(type: DestinationType, base: DestinationRecord): boolean {
  return Object.entries(configMembers(type)).some(([name, { secret }]) => {
    const stored = base.config[name];
    return secret && (typeof stored === "string" || Object.keys(stored ?? {}).length > 0);
  });
}

function hintOf({ type, base, draft }: Editing, name: string, member: ConfigMember): string | undefined {
  const without =
    member.default === undefined || member.required || member.choices ? undefined : `Default: ${member.default}.`;
  const moves =
    member.addressesHost && base && hasSecrets(type, base)
      ? "Changing the host requires re-entering the secrets."
      : undefined;
  return [fieldHint(type, name, draft, now()) ?? without, moves].filter(Boolean).join(" ") || undefined;
}

/** A pasted block of an environment file, or of JSON, fills every member that it names; what was recognized is said. */
function usePaste({ type, draft, change }: Editing): (event: ClipboardEvent) => void {
  return (event) => {
    const found = parseEnv(event.clipboardData.getData("text"), formMembers(type));
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const config = Object.entries(found).map(([name, { text, secret }]) => [
      name,
      secret ? ({ state: "typed", text } as const) : text,
    ]);
    change({ config: { ...draft.config, ...(Object.fromEntries(config) as typeof draft.config) } });
    toast({
      message: `Filled in from the pasted text: ${Object.values(found)
        .map(({ title }) => title)
        .join(", ")}.`,
    });
  };
}
