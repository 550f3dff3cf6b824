import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { counted } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace, useWorkspaceOf } from "../../shell/workspace.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { LinkButton, linkTextClass } from "../../ui/LinkText.tsx";
import { actionWords, budgetPhrase, builtinNames, groupList, zdrGroups, zdrOf } from "../../api/guardrail-words.ts";

/** What a guardrail does, rule by rule, and where it comes from. */
export function GuardrailFacts({ of: guardrail }: { of: GuardrailRecord }) {
  const { path } = useWorkspace();
  const workspace = useWorkspaceOf(guardrail.workspace_id ?? "");
  const rules = rulesOf(guardrail, path);
  const facts: Fact[] = [
    { term: "Workspace", value: <bdi>{workspace.name}</bdi> },
    {
      term: "Id",
      value: (
        <span className="flex items-center gap-1">
          <span className="mono break-all select-all">{guardrail.id}</span>
          <CopyButton text={guardrail.id} label="Copy the guardrail's id" className="-my-1.5" />
        </span>
      ),
    },
    {
      term: "Changed",
      value:
        guardrail.updated_at !== null ? (
          <TimeCell iso={guardrail.updated_at} show="exact" />
        ) : guardrail.is_default ? (
          "never"
        ) : (
          <TimeCell iso={guardrail.created_at} show="exact" />
        ),
    },
    {
      term: "Audit log",
      value: (
        <Link to={paths.audit(path)} search={{ target_id: guardrail.id }} className={linkTextClass}>
          Show its changes
        </Link>
      ),
    },
  ];
  return (
    <div className="grid grid-cols-1 gap-5 px-8 pt-3 pb-5 max-md:px-4">
      {guardrail.description !== null && (
        <p dir="auto" className="max-w-160 wrap-anywhere text-fg-2">
          {guardrail.description}
        </p>
      )}
      {rules.length === 0 ? (
        <p className="text-fg-2">It restricts nothing yet. Edit it to add rules.</p>
      ) : (
        <Facts facts={rules} className="max-w-180 gap-y-2 text-13" />
      )}
      <Facts facts={facts} className="max-w-180" />
    </div>
  );
}

function rulesOf(guardrail: GuardrailRecord, path: string): Fact[] {
  const model = (id: string) => (
    <Link to={paths.model(path, id)} className={linkTextClass}>
      {id}
    </Link>
  );
  const provider = (slug: string) => (
    <Link to={paths.provider(path, slug)} className={linkTextClass}>
      {slug}
    </Link>
  );
  const lists: Fact[] = [
    ...listFact("Models", "Only ", guardrail.allowed_models, model),
    ...listFact("Excluded models", "", guardrail.ignored_models, model),
    ...listFact("Providers", "Only ", guardrail.allowed_providers, provider),
    ...listFact("Excluded providers", "", guardrail.ignored_providers, provider),
  ];
  const privacy = privacySentences(guardrail);
  const budget = budgetPhrase(guardrail);
  const filters = filterLines(guardrail);
  return [
    ...lists,
    ...(privacy.length === 0 ? [] : [{ term: "Privacy", value: privacy.join(" ") }]),
    ...(budget === null
      ? []
      : [
          {
            term: "Budget",
            value: `${budget} for each key${guardrail.is_default ? "" : " and each creator"}, ${
              guardrail.include_byok_in_budgets ? "BYOK usage included" : "without BYOK usage"
            }`,
          },
        ]),
    ...(filters.length === 0
      ? []
      : [
          {
            term: "Content filters",
            value: (
              <ul className="grid gap-0.5">
                {filters.map((line, place) => (
                  <li key={place} className="wrap-anywhere">
                    {line}
                  </li>
                ))}
              </ul>
            ),
          },
        ]),
  ];
}

function listFact(
  term: string,
  before: string,
  values: readonly string[] | null,
  render: (value: string) => ReactNode,
): Fact[] {
  return values === null ? [] : [{ term, value: <Listed before={before} values={values} render={render} /> }];
}

const firstShown = 12;

interface ListedProps {
  /** "Only ", or nothing */
  before: string;
  values: readonly string[];
  render: (value: string) => ReactNode;
}

/** The values of a list, the rest of a long one when it is asked for. */
function Listed({ before, values, render }: ListedProps) {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, firstShown);
  return (
    <span className="wrap-anywhere">
      {before}
      {shown.map((value, place) => (
        <span key={value}>
          {place > 0 && ", "}
          {render(value)}
        </span>
      ))}
      {shown.length < values.length && (
        <>
          {" "}
          <LinkButton className="min-h-0! align-baseline" onClick={() => setAll(true)}>
            and {values.length - shown.length} more
          </LinkButton>
        </>
      )}
    </span>
  );
}

function privacySentences(guardrail: GuardrailRecord): string[] {
  const groups = zdrOf(guardrail);
  const models = [
    guardrail.enable_paid_model_training === false && "paid",
    guardrail.enable_free_model_training === false && "free",
  ].filter((kind) => kind !== false);
  return [
    ...(groups.length === 0
      ? []
      : [
          groups.length === zdrGroups.length
            ? "Only providers that keep nothing of a request."
            : `For models of ${groupList(groups)}, only providers that keep nothing of a request.`,
        ]),
    ...(models.length === 0 ? [] : [`No training on calls to ${models.join(" and ")} models.`]),
    ...(guardrail.enable_free_model_publication === false ? ["No publication of calls to free models."] : []),
  ];
}

function filterLines({ content_filter_builtins: builtins, content_filters: own }: GuardrailRecord): ReactNode[] {
  return [
    ...(builtins ?? []).map(
      ({ slug, action, scan_scope: scope }) =>
        `${actionWords[action]} ${inSentence(builtinNames[slug])}${scope === "user_only" ? " in users' messages" : ""}`,
    ),
    ...(own ?? []).map(({ pattern, action, label }) => (
      <>
        {actionWords[action]} what matches{" "}
        <code translate="no" className="mono break-all">
          {pattern.length > mostShown ? `${pattern.slice(0, mostShown)}…` : pattern}
        </code>
        {pattern.length > mostShown && `, ${counted(pattern.length, "character")} in all`}
        {label !== null && <>, as [{label}]</>}
      </>
    )),
  ];
}

/** Characters of a pattern; the form has all of them. */
const mostShown = 300;

/** The same inside a sentence: abbreviations keep their capitals. */
function inSentence(name: string): string {
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
