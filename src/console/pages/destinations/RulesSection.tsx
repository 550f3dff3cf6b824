import { Plus } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../ui/Button.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { cx } from "../../ui/cx.ts";
import { at, goTo } from "./editor.ts";
import type { Editing } from "./editor.ts";
import { RuleRow } from "./RuleRow.tsx";
import { rulesSentence } from "./rule-words.ts";
import { addGroup, addRule, removeRule, rulePath, setLogic, setRule } from "./rules.ts";
import type { RulesDraft } from "./rules.ts";
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
  const { draft, change, problem, touch } = editing;
  const rules = draft.filter_rules;
  const [view, setView] = useState<"form" | "json">("form");
  const addFirst = useRef<HTMLButtonElement>(null);
  const off = rules?.enabled === false;
  const seen = useSeenValues(workspaceId, rules !== null);
  /** Changes the rules, then puts the focus where the person goes on. */
  function set(next: RulesDraft | null, focus?: string): void {
    flushSync(() => change({ filter_rules: next }));
    if (focus !== undefined && !goTo(focus)) addFirst.current?.focus();
  }
  function remove(group: number, rule: number): void {
    if (!rules) return;
    const before = rule > 0 ? rulePath(group, rule - 1, "field") : rulePath(Math.max(0, group - 1), 0, "field");
    set(removeRule(rules, group, rule), before);
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
            checked={!off}
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
        rules?.groups.map((group, index) => (
          <fieldset key={index} className={cx("grid min-w-0 gap-2", off && "opacity-60")}>
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
                onChange={(logic) => set(setLogic(rules, index, logic))}
              />
            </legend>
            {group.rules.map((rule, place) => (
              <RuleRow
                key={place}
                rule={rule}
                group={index}
                place={place}
                suggestions={seen(String(rule["field"]))}
                joint={place === 0 ? "" : group.logic === "or" ? "or" : "and"}
                error={problem(rulePath(index, place)) ?? refused(rulePath(index, place))}
                onChange={(next) => change({ filter_rules: setRule(rules, index, place, next) })}
                onRemove={() => remove(index, place)}
                onBlur={() => touch(rulePath(index, place))}
              />
            ))}
            <div className="pl-11 max-md:pl-0">
              <Button
                size="sm"
                icon={<Plus size={12} aria-hidden="true" />}
                aria-label={`Add a rule to group ${index + 1}`}
                onClick={() => set(addRule(rules, index), rulePath(index, group.rules.length, "field"))}
              >
                Rule
              </Button>
            </div>
          </fieldset>
        ))
      )}
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
