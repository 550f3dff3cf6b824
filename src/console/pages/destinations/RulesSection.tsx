import { Plus } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../ui/Button.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { cx } from "../../ui/cx.ts";
import { at, goTo, type Editing } from "./editor.ts";
import { RuleRow } from "./RuleRow.tsx";
import { rulesSentence } from "./rule-labels.ts";
import { addGroup, addRule, matchesBodies, removeRule, rulePath, setLogic, setRule, type RulesDraft } from "./rules.ts";
import { TryRules } from "./TryRules.tsx";
import { useSeenValues } from "./use-seen-values.ts";

const RulesJson = lazy(async () => ({ default: (await import("./RulesJson.tsx")).RulesJson }));

interface RulesSectionProps {
  editing: Editing;
  workspaceId: string | undefined;
  /** what the gateway says about a rule, such as a pattern that does not compile */
  refused: (path: string) => string | undefined;
}

/** Which requests: groups that all have to match, each of rules of which all or any have to. */
export function RulesSection({ editing, workspaceId, refused }: RulesSectionProps) {
  const { draft, change } = editing;
  const rules = draft.filter_rules;
  const [view, setView] = useState<"form" | "json">("form");
  const addFirst = useRef<HTMLButtonElement>(null);
  const seen = useSeenValues(workspaceId, rules !== null);
  /** Changes the rules, then puts the focus where the person goes on. */
  function set(next: RulesDraft | null, focus?: string): void {
    flushSync(() => change({ filter_rules: next }));
    if (focus !== undefined && !goTo(focus)) addFirst.current?.focus();
  }
  return (
    <div {...at("filter_rules")} className="grid min-w-0 gap-3.5">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label="Edit the rules as"
          size="sm"
          choices={[
            { value: "form", label: "Form" },
            { value: "json", label: "JSON" },
          ]}
          value={view}
          onChange={setView}
        />
        {rules && (
          <Switch
            label="Apply the rules"
            checked={rules.enabled !== false}
            onChange={(enabled) => change({ filter_rules: { ...rules, enabled } })}
          />
        )}
        {rules && (
          <Button size="sm" variant="quiet" className="ml-auto" onClick={() => set(null, "none")}>
            Remove all
          </Button>
        )}
      </div>
      {view === "json" ? (
        <Suspense>
          <RulesJson rules={rules} onChange={(next) => change({ filter_rules: next })} />
        </Suspense>
      ) : (
        rules?.groups.map((_, index) => (
          <RuleGroup
            key={index}
            rules={rules}
            index={index}
            editing={editing}
            refused={refused}
            seen={seen}
            onSet={set}
          />
        ))
      )}
      <Sentence rules={rules} />
      {matchesBodies(rules) && (
        <p className="text-12 text-fg-3">
          Patterns read only the beginning of a text: 1,000,000 characters divided by the length of all patterns here.
        </p>
      )}
      <TryRules draft={draft} workspaceId={workspaceId}>
        {view === "form" && (
          <Button
            ref={addFirst}
            size="sm"
            className="w-fit"
            icon={<Plus size={12} aria-hidden="true" />}
            onClick={() => set(addGroup(rules), rulePath(rules?.groups.length ?? 0, 0, "field"))}
          >
            {rules ? "Group" : "Add a rule"}
          </Button>
        )}
      </TryRules>
    </div>
  );
}

interface RuleGroupProps extends Pick<RulesSectionProps, "editing" | "refused"> {
  rules: RulesDraft;
  index: number;
  seen: ReturnType<typeof useSeenValues>;
  /** changes the rules, then puts the focus on what has this path */
  onSet: (next: RulesDraft | null, focus?: string) => void;
}

/** The rules of one group, of which all or any have to match. */
function RuleGroup({ rules, index, editing, refused, seen, onSet }: RuleGroupProps) {
  const { change, problem, touch } = editing;
  const group = rules.groups[index];
  if (group === undefined) return null;
  return (
    <fieldset className={cx("grid min-w-0 gap-2", rules.enabled === false && "opacity-60")}>
      <legend className="mb-2 flex items-center gap-2 text-12 text-fg-2">
        {index > 0 && <b className="font-semibold text-fg-1">and</b>}
        <span>Group {index + 1}, match</span>
        <Segmented
          label={`Group ${index + 1} matches`}
          size="sm"
          choices={[
            { value: "and", label: "all of" },
            { value: "or", label: "any of" },
          ]}
          value={group.logic === "or" ? "or" : "and"}
          onChange={(logic) => onSet(setLogic(rules, index, logic))}
        />
      </legend>
      {group.rules.map((rule, position) => (
        <RuleRow
          key={position}
          rule={rule}
          group={index}
          position={position}
          suggestions={seen(String(rule["field"]))}
          joint={position === 0 ? "" : group.logic === "or" ? "or" : "and"}
          error={problem(rulePath(index, position)) ?? refused(rulePath(index, position))}
          onChange={(next) => change({ filter_rules: setRule(rules, index, position, next) })}
          onRemove={() => onSet(removeRule(rules, index, position), before(index, position))}
          onBlur={() => touch(rulePath(index, position))}
        />
      ))}
      <div className="pl-11 max-md:pl-0">
        <Button
          size="sm"
          icon={<Plus size={12} aria-hidden="true" />}
          aria-label={`Add a rule to group ${index + 1}`}
          onClick={() => onSet(addRule(rules, index), rulePath(index, group.rules.length, "field"))}
        >
          Rule
        </Button>
      </div>
    </fieldset>
  );
}

/** Where the focus goes when a rule is removed. */
function before(group: number, rule: number): string {
  return rule > 0 ? rulePath(group, rule - 1, "field") : rulePath(Math.max(0, group - 1), 0, "field");
}

function Sentence({ rules }: { rules: RulesDraft | null }) {
  return (
    <p className="break-words text-fg-2">
      {rulesSentence(rules).map(({ kind, text }, index) =>
        kind === "code" ? (
          <code key={index} className="mono text-fg-1">
            {text}
          </code>
        ) : kind === "strong" ? (
          <b key={index} className="font-semibold text-fg-1">
            {text}
          </b>
        ) : (
          text
        ),
      )}
    </p>
  );
}
