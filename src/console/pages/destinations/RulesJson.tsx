import { useState } from "react";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { readRulesJson, rulesText } from "./rules-json.ts";
import type { RulesDraft } from "./rules.ts";

/** The rules as text, both ways. What cannot be read stays as text and changes nothing. */
export function RulesJson({
  rules,
  onChange,
}: {
  rules: RulesDraft | null;
  onChange: (rules: RulesDraft | null) => void;
}) {
  const [typed, setTyped] = useState(() => ({ text: rulesText(rules), of: rules }));
  const text = typed.of === rules ? typed.text : rulesText(rules);
  const read = readRulesJson(text);
  return (
    <Field
      label="Rules as JSON"
      error={"line" in read ? `Line ${read.line}: ${read.message}. The rules are as they were.` : undefined}
      hint="Empty: no rules. Fields and operators that this console does not know are kept."
    >
      {(control) => (
        <TextArea
          {...control}
          mono
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            const next = readRulesJson(event.target.value);
            const of = "rules" in next ? next.rules : rules;
            setTyped({ text: event.target.value, of });
            if ("rules" in next) onChange(next.rules);
          }}
        />
      )}
    </Field>
  );
}
