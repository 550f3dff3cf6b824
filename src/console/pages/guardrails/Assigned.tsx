import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import {
  bulkAssignKeysToGuardrail,
  bulkAssignMembersToGuardrail,
  bulkUnassignKeysFromGuardrail,
  bulkUnassignMembersFromGuardrail,
  type GuardrailRecord,
  type KeyAssignment,
  type MemberAssignment,
} from "#contract/guardrails.ts";
import { useAction } from "../../api/action.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { paths } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Older } from "../../table/Older.tsx";
import { RowMenu } from "../../table/RowMenu.tsx";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { toast } from "../../ui/toast.ts";
import { type AssignmentContext, creatorColumns, keyColumns } from "./assignment-columns.tsx";
import { assignedCreators, assignedKeys } from "./assignments.ts";

export const assignKeysId = "assign-keys";
export const assignCreatorsId = "assign-creators";

const keyMenu = (
  { key_hash: value, key_name: name }: KeyAssignment,
  { onRemove, disabledReason }: AssignmentContext,
) => (
  <RowMenu
    name={name}
    items={[{ label: "Take from this guardrail", disabledReason, onSelect: () => onRemove({ name, value }) }]}
  />
);
const creatorMenu = ({ user_id: user }: MemberAssignment, { onRemove, disabledReason }: AssignmentContext) => (
  <RowMenu
    name={user}
    items={[
      { label: "Take from this guardrail", disabledReason, onSelect: () => onRemove({ name: user, value: user }) },
    ]}
  />
);

/** The keys that a guardrail is assigned to. */
export function AssignedKeys({ of: guardrail }: { of: GuardrailRecord }) {
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const list = useInfiniteQuery(assignedKeys(guardrail.id));
  const input = (hash: string) => ({ params: { id: guardrail.id }, body: { key_hashes: [hash] } });
  const assign = useAction(bulkAssignKeysToGuardrail, { onError: notUndone });
  const remove = useAction(bulkUnassignKeysFromGuardrail);
  const context: AssignmentContext = {
    workspace: path,
    disabledReason: reason,
    onRemove: ({ name, value }) =>
      remove.mutate(input(value), {
        onSuccess: () => sayTaken(`${guardrail.name} no longer covers ${name}.`, () => assign.mutate(input(value))),
        onError: (error) => notTaken(name, error),
      }),
  };
  return (
    <Section
      title="Keys"
      action={<AssignLink id={assignKeysId} to={paths.assignKeys(path, guardrail.id)} label="Assign keys" />}
    >
      <QueryBoundary query={list} what="its keys" skeleton={<TableSkeleton columns={keyColumns} rows={2} actions />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <None>No key has this guardrail.</None>;
          return (
            <>
              <Table
                label="Keys of this guardrail"
                columns={keyColumns}
                context={context}
                rows={rows}
                rowId={({ id }) => id}
                actions={keyMenu}
              />
              <Older list={list} what="keys" action="Show more keys" />
            </>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}

/** The creators all of whose keys a guardrail covers. */
export function AssignedCreators({ of: guardrail }: { of: GuardrailRecord }) {
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const list = useInfiniteQuery(assignedCreators(guardrail.id));
  const input = (user: string) => ({ params: { id: guardrail.id }, body: { member_user_ids: [user] } });
  const assign = useAction(bulkAssignMembersToGuardrail, { onError: notUndone });
  const remove = useAction(bulkUnassignMembersFromGuardrail);
  const context: AssignmentContext = {
    workspace: path,
    disabledReason: reason,
    onRemove: ({ name, value }) =>
      remove.mutate(input(value), {
        onSuccess: () =>
          sayTaken(`${guardrail.name} no longer covers the keys of ${name}.`, () => assign.mutate(input(value))),
        onError: (error) => notTaken(name, error),
      }),
  };
  return (
    <Section
      title="Creators"
      about="It covers every key that one of them created, in every workspace."
      action={
        <AssignLink id={assignCreatorsId} to={paths.assignCreators(path, guardrail.id)} label="Assign creators" />
      }
    >
      <QueryBoundary
        query={list}
        what="its creators"
        skeleton={<TableSkeleton columns={creatorColumns} rows={2} actions />}
      >
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <None>No creator has this guardrail.</None>;
          return (
            <>
              <Table
                label="Creators of this guardrail"
                columns={creatorColumns}
                context={context}
                rows={rows}
                rowId={({ id }) => id}
                actions={creatorMenu}
              />
              <Older list={list} what="creators" action="Show more creators" />
            </>
          );
        }}
      </QueryBoundary>
    </Section>
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

interface SectionProps {
  title: string;
  about?: string;
  action: ReactNode;
  children: ReactNode;
}

function Section({ title, about, action, children }: SectionProps) {
  return (
    <section aria-label={title} className="border-t border-line py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-8 pb-2 max-md:px-4">
        <h2 className="text-15">{title}</h2>
        {about !== undefined && <p className="min-w-0 text-12 text-fg-3">{about}</p>}
        <div className="ml-auto">{action}</div>
      </div>
      {children}
    </section>
  );
}

function None({ children }: { children: ReactNode }) {
  return <p className="px-8 text-fg-2 max-md:px-4">{children}</p>;
}

function AssignLink({ id, to, label }: { id: string; to: string; label: string }) {
  const { reachable, reason } = useReachable();
  return reachable ? (
    <Link id={id} to={to} className={buttonClass({ size: "sm" })}>
      {label}
    </Link>
  ) : (
    <Button size="sm" disabledReason={reason}>
      {label}
    </Button>
  );
}
