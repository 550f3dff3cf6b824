import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { getDeliveryOutcome, type LetThrough } from "#contract/forwarding.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import type { Draft } from "./draft.ts";
import type { RulesDraft } from "./rules.ts";
import type { Editor } from "./use-editor.ts";

export interface MadeChange {
  generation: string;
  /** where the call's session falls in sampling */
  position: number;
  /** it is in the form still as it was made */
  applies: boolean;
  /** in words; empty: there was nothing to change */
  changes: readonly string[];
}

/**
 * An address may name a call that was held back (`?through=gen-…`): what would let it through is then changed in the
 * form, once and unsaved. Returns what was changed, and whether the form still has it.
 */
export function useLetThrough({ base, draft, setDraft }: Editor): MadeChange | null {
  const { through } = useSearch({ strict: false });
  const { hash } = useLocation();
  const { path } = useWorkspace();
  const navigate = useNavigate();
  const id = base?.id;
  const [made, setMade] = useState<(Omit<MadeChange, "applies"> & { decides: string }) | null>(null);
  const { data } = useQuery({
    ...query(getDeliveryOutcome, { query: { generation_id: through ?? "" } }),
    enabled: through !== undefined && id !== undefined,
  });
  useEffect(() => {
    if (data === undefined || through === undefined || id === undefined || made?.generation === through) return;
    const wanted = data.data.destinations.find(({ destination_id }) => destination_id === id)?.let_through ?? null;
    const changed = wanted ? withChange(draft, wanted) : draft;
    setDraft(changed);
    setMade({
      generation: through,
      position: data.data.position,
      decides: decidingPart(changed),
      changes: wanted?.changes ?? [],
    });
    void navigate({ to: paths.destination(path, id), hash, search: {}, replace: true });
  }, [data, through, id, made, draft, setDraft, navigate, path, hash]);
  return made && { ...made, applies: made.decides === decidingPart(draft) };
}

const decidingPart = ({ api_key_hashes, filter_rules, sampling_rate }: Draft): string =>
  JSON.stringify([api_key_hashes, filter_rules, sampling_rate]);

function withChange(
  draft: Draft,
  { add_api_key_hash: key, filter_rules: rules, sampling_rate: rate }: LetThrough,
): Draft {
  const hashes = draft.api_key_hashes;
  return {
    ...draft,
    ...(key !== undefined && hashes && !hashes.includes(key) && { api_key_hashes: [...hashes, key] }),
    ...(rules !== undefined && { filter_rules: rules as RulesDraft | null }),
    ...(rate !== undefined && { sampling_rate: rate }),
  };
}
