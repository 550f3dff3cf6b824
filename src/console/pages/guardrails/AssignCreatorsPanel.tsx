import { useCallback } from "react";
import { bulkAssignMembersToGuardrail } from "#contract/guardrails.ts";
import { countKeys, listKeys } from "#contract/keys.ts";
import { call } from "../../api/call.ts";
import { counted, formatCount } from "../../format.ts";
import type { LoadOptions } from "../../ui/listbox.ts";
import { AssignPanel } from "./AssignPanel.tsx";
import { ReplacedNotice } from "./ReplacedNotice.tsx";
import { useCreatorsGuardrails } from "./use-assigned.ts";
import { useGuardrail } from "./use-guardrail.ts";

/** Assigns a guardrail to creators of keys. */
export function AssignCreatorsPanel() {
  const found = useGuardrail();
  const load = useCreatorOptions(found.data?.data.workspace_id ?? undefined);
  return (
    <AssignPanel
      found={found}
      noun="creator"
      endpoint={bulkAssignMembersToGuardrail}
      member="member_user_ids"
      input={(id, users) => ({ params: { id }, body: { member_user_ids: users } })}
      hint="By the creator id of their keys. You can type the id of a creator who has no keys yet."
      load={load}
      placeholder="Add a creator"
      emptyText="No recent key has a creator: type the id"
      covered={(count) => `the keys of ${counted(count, "more creator")} now`}
      notice={ReplacedOfCreators}
    />
  );
}

function ReplacedOfCreators({ chosen, by }: { chosen: readonly string[]; by: string }) {
  const replaced = useCreatorsGuardrails(chosen).map(({ user_id: user, guardrail_id: id }) => ({
    value: user,
    name: user,
    id,
  }));
  return <ReplacedNotice of={replaced} by={by} noun="creator" />;
}

/** The creators of the newest keys, and what is typed: creators are not listed anywhere. */
function useCreatorOptions(workspaceId: string | undefined): LoadOptions {
  return useCallback(
    async (text, signal) => {
      const typed = text.trim();
      const workspace = workspaceId === undefined ? {} : { workspace_id: workspaceId };
      const [newest, own] = await Promise.all([
        call(listKeys, { query: { ...workspace, include_disabled: "true", limit: "100" } }, { signal }),
        typed === "" ? null : call(countKeys, { query: { ...workspace, creator: typed } }, { signal }),
      ]);
      const creators = new Set(newest.data.flatMap(({ creator_user_id: creator }) => creator ?? []));
      creators.delete(typed);
      const others = [...creators].filter((creator) => creator.toLowerCase().includes(typed.toLowerCase()));
      const option = (value: string) => ({ value, label: value, group: "Creators of the newest keys" });
      if (own === null) return others.map(option);
      const { count, more } = own.data.all;
      const detail = count === 0 ? "no keys yet" : more ? `${formatCount(count)}+ keys` : counted(count, "key");
      return [{ value: typed, label: typed, detail, group: "As typed" }, ...others.map(option)];
    },
    [workspaceId],
  );
}
