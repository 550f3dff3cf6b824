import { isNumberField, operatorsOf, takesNoValue } from "#contract/destination-check.ts";
import { X } from "lucide-react";
import { FilterField, type FilterOperator } from "#contract/destinations.ts";
import { operatorWords } from "#contract/filter-words.ts";
import { FieldError } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { at } from "./editor.ts";
import { fieldLabels } from "./rule-labels.ts";
import { isKnown, rulePath, withField, withOperator, withValue, type RuleDraft } from "./rules.ts";

interface RuleRowProps {
  rule: RuleDraft;
  group: number;
  position: number;
  /** values that recent calls had there */
  suggestions: readonly string[];
  /** and, or; nothing before the first */
  joint: string;
  error: string | undefined;
  onChange: (rule: RuleDraft) => void;
  onRemove: () => void;
  onBlur: () => void;
}

/** Field, operator, value. A rule that this console does not know is shown as it is and goes through untouched. */
export function RuleRow({
  rule,
  group,
  position,
  suggestions,
  joint,
  error,
  onChange,
  onRemove,
  onBlur,
}: RuleRowProps) {
  const name = `rule ${position + 1} of group ${group + 1}`;
  const known = isKnown(rule);
  const errorId = `${rulePath(group, position)}-error`;
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-[36px_150px_138px_minmax(0,1fr)_28px] items-center gap-2 max-md:grid-cols-[1fr_1fr_36px]">
        <span className="text-right text-12 text-fg-3 max-md:hidden">{joint}</span>
        {known ? (
          <Known
            rule={rule}
            group={group}
            position={position}
            name={name}
            suggestions={suggestions}
            error={error}
            onChange={onChange}
            onBlur={onBlur}
          />
        ) : (
          <code
            {...at(rulePath(group, position, "field"))}
            tabIndex={0}
            className="mono col-span-3 rounded-1 bg-bg-2 px-2.5 py-1.5 break-words text-fg-2 max-md:col-span-2"
          >
            {JSON.stringify(rule)}
            <span className="block font-sans text-12 text-fg-3">
              Newer than this console: kept as it is, editable as JSON.
            </span>
          </code>
        )}
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <X size={13} aria-hidden="true" />
        </IconButton>
      </div>
      {error && (
        <div className="pl-11 max-md:pl-0">
          <FieldError id={errorId}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}

interface KnownProps extends Pick<
  RuleRowProps,
  "rule" | "group" | "position" | "suggestions" | "error" | "onChange" | "onBlur"
> {
  name: string;
}

function Known({ rule, group, position, name, suggestions, error, onChange, onBlur }: KnownProps) {
  const field = rule["field"] as FilterField;
  const operator = rule["operator"] as FilterOperator;
  const operators = operatorsOf(field);
  // one that does not fit its field came in as JSON; it is shown, and the gateway says what would fit
  const offered = operators.includes(operator) ? operators : [...operators, operator];
  const number = isNumberField(field);
  const errorId = `${rulePath(group, position)}-error`;
  const listId = `${rulePath(group, position)}-seen`;
  // a pattern is no value, so none that was seen would be one
  const suggests = suggestions.length > 0 && !takesNoValue(operator) && operator !== "regex";
  return (
    <>
      <span {...at(rulePath(group, position, "field"))} className="min-w-0">
        <NativeSelect
          aria-label={`Field of ${name}`}
          value={field}
          onChange={(event) => onChange(withField(rule, event.target.value as FilterField))}
        >
          {FilterField.options.map((one) => (
            <option key={one} value={one}>
              {fieldLabels[one]}
            </option>
          ))}
        </NativeSelect>
      </span>
      <span {...at(rulePath(group, position, "operator"))} className="min-w-0">
        <NativeSelect
          aria-label={`Operator of ${name}`}
          value={operator}
          onChange={(event) => onChange(withOperator(rule, event.target.value as FilterOperator))}
        >
          {offered.map((one) => (
            <option key={one} value={one}>
              {operatorWords[one]}
            </option>
          ))}
        </NativeSelect>
      </span>
      <span {...at(rulePath(group, position))} className="min-w-0 max-md:col-span-2 max-md:row-start-2">
        {!takesNoValue(operator) && (
          <TextInput
            aria-label={`Value of ${name}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            prefix={field === "total_cost" ? "$" : undefined}
            mono={!number}
            list={suggests ? listId : undefined}
            figures={number}
            inputMode={number ? "decimal" : undefined}
            spellCheck={false}
            autoCapitalize="off"
            placeholder={operator === "regex" ? "RE2, such as ^openai/" : undefined}
            value={String(rule["value"] ?? "")}
            onChange={(event) => onChange(withValue(rule, event.target.value))}
            onBlur={onBlur}
          />
        )}
        {suggests && (
          <datalist id={listId}>
            {suggestions.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        )}
      </span>
    </>
  );
}
