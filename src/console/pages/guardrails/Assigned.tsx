import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import {
  bulkAssignKeysToGuardrail,
  bulkAssignMembersToGuardrail,
  bulkUnassignKeysFromGuardrail,
  bulkUnassignMembersFromGuardrail,
  type GuardrailRecord,
} from "#contract/guardrails.ts";
import { useAction } from "../../api/action.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { capital } from "../../format.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import type { Column } from "../../table/column.ts";
import { Older } from "../../table/Older.tsx";
import { RowMenu } from "../../table/RowMenu.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { toast } from "../../ui/toast.ts";
import { type AssignmentContext, creatorColumns, keyColumns } from "./assignment-columns.tsx";
import { assignedCreators, assignedKeys } from "./assignments.ts";

/** The element that opens the panel for keys or creators, and has the focus again after it. */
export const assignLinkId = (noun: "key" | "creator"): string => `assign-${noun}s`;

/** The keys that a guardrail is assigned to. */
export function AssignedKeys({ of: guardrail }: { of: GuardrailRecord }) {
  const input = (hash: string) => ({ params: { id: guardrail.id }, body: { key_hashes: [hash] } });
  const assign = useAction(bulkAssignKeysToGuardrail, { onError: notUndone });
  const remove = useAction(bulkUnassignKeysFromGuardrail);
  return (
    <AssignedList
      noun="key"
      list={useInfiniteQuery(assignedKeys(guardrail.id))}
      columns={keyColumns}
      to={paths.assignKeys(useWorkspace().path, guardrail.id)}
      nameOf={({ key_name: name }) => name}
      onRemove={({ key_hash: hash, key_name: name }) =>
        remove.mutate(input(hash), {
          onSuccess: () => sayTaken(`${guardrail.name} no longer covers ${name}.`, () => assign.mutate(input(hash))),
          onError: (error) => notTaken(name, error),
        })
      }
    />
  );
}

/** The creators all of whose keys a guardrail covers. */
export function AssignedCreators({ of: guardrail }: { of: GuardrailRecord }) {
  const input = (user: string) => ({ params: { id: guardrail.id }, body: { member_user_ids: [user] } });
  const assign = useAction(bulkAssignMembersToGuardrail, { onError: notUndone });
  const remove = useAction(bulkUnassignMembersFromGuardrail);
  return (
    <AssignedList
      noun="creator"
      about="It covers every key that one of them created, in every workspace."
      list={useInfiniteQuery(assignedCreators(guardrail.id))}
      columns={creatorColumns}
      to={paths.assignCreators(useWorkspace().path, guardrail.id)}
      nameOf={({ user_id: user }) => user}
      onRemove={({ user_id: user }) =>
        remove.mutate(input(user), {
          onSuccess: () =>
            sayTaken(`${guardrail.name} no longer covers the keys of ${user}.`, () => assign.mutate(input(user))),
          onError: (error) => notTaken(user, error),
        })
      }
    />
  );
}

function sayTaken(message: string, undo: () => void): void {
  toast({ message, action: { label: "Undo", onSelect: undo } });
}

function notTaken(name: string, error: unknown): void {
  toast({ message: `The guardrail was not taken from ${name}.`, detail: errorText(error), tone: "trouble" });
}

function notUndone(error: unknown): void {
  toast({ message: "It could not be undone.", detail: errorText(error), tone: "trouble" });
}

interface AssignedListProps<Row> {
  noun: "key" | "creator";
  about?: string;
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
  columns: readonly Column<Row, AssignmentContext>[];
  /** the panel that assigns more */
  to: string;
  nameOf: (row: Row) => string;
  onRemove: (row: Row) => void;
}

interface MenuContext<Row> extends Pick<AssignedListProps<Row>, "nameOf" | "onRemove"> {
  disabledReason: string | undefined;
}

function menuOf<Row>(row: Row, { nameOf, onRemove, disabledReason }: MenuContext<Row>) {
  const items = [{ label: "Take from this guardrail", disabledReason, onSelect: () => onRemove(row) }];
  return <RowMenu name={nameOf(row)} items={items} />;
}

function AssignedList<Row extends { id: string }>(props: AssignedListProps<Row>) {
  const { noun, about, list, columns, to, nameOf, onRemove } = props;
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const plural = `${noun}s`;
  const title = capital(plural);
  return (
    <section aria-label={title} className="border-t border-line py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-8 pb-2 max-md:px-4">
        <h2 className="text-15">{title}</h2>
        {about !== undefined && <p className="min-w-0 text-12 text-fg-3">{about}</p>}
        <div className="ml-auto">
          <ButtonLink id={assignLinkId(noun)} to={to} size="sm">
            Assign {plural}
          </ButtonLink>
        </div>
      </div>
      <QueryBoundary
        query={list}
        what={`its ${plural}`}
        skeleton={<TableSkeleton columns={columns} rows={2} actions />}
      >
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) {
            return <p className="px-8 text-fg-2 max-md:px-4">No {noun} has this guardrail.</p>;
          }
          return (
            <>
              <Table
                label={`${title} of this guardrail`}
                columns={columns}
                context={{ workspace: path, nameOf, onRemove, disabledReason: reason }}
                rows={rows}
                rowId={({ id }) => id}
                actions={menuOf}
              />
              <Older list={list} what={plural} action={`Show more ${plural}`} />
            </>
          );
        }}
      </QueryBoundary>
    </section>
  );
}
