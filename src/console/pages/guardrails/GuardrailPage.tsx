import { Link, Outlet, useChildMatches, useNavigate, useParams } from "@tanstack/react-router";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { useLeaveDeleted } from "../../shell/leave-deleted.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { AssignedCreators, AssignedKeys } from "./Assigned.tsx";
import { assignedWords } from "./guardrail-columns.tsx";
import { GuardrailFacts } from "./GuardrailFacts.tsx";
import { useGuardrail } from "./use-guardrail.ts";

/** One guardrail: what it does, and whom it covers. */
export function GuardrailPage() {
  const { path } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  const found = useGuardrail();
  const guardrail = found.data?.data;
  const gone = isNotFound(found.error);
  // a form in a panel over it keeps what was typed
  const alone = useChildMatches().length === 0;
  useLeaveDeleted(gone && guardrail !== undefined && alone, guardrail?.name, paths.guardrails(path));
  if (gone && guardrail === undefined) return <NoSuchGuardrail id={id} />;
  return (
    <>
      <PageHeader
        title={guardrail?.name ?? "Guardrail"}
        sub={
          <Link to={paths.guardrails(path)} className={linkTextClass}>
            All guardrails
          </Link>
        }
        actions={guardrail && !gone && <EditLink of={guardrail} />}
      />
      <QueryBoundary key={guardrail && "known"} query={found} what="the guardrail" skeleton={<PageSkeleton />}>
        {({ data }) => <Sections key={data.id} of={data} />}
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function NoSuchGuardrail({ id }: { id: string }) {
  const { path } = useWorkspace();
  return (
    <>
      <PageHeader title="It no longer exists" />
      <p className="px-8 pt-3 wrap-anywhere text-fg-2 max-md:px-4">
        No guardrail has the id <span className="mono">{id}</span>. It was deleted, or the address is wrong.{" "}
        <Link to={paths.guardrails(path)} className={`${linkTextClass} underline`}>
          Show all guardrails
        </Link>
      </p>
    </>
  );
}

export const editId = "edit-guardrail";

function EditLink({ of: { id } }: { of: GuardrailRecord }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const to = paths.editGuardrail(path, id);
  useShortcut("e", "Edit the guardrail", () => void navigate({ to }), reachable);
  return (
    <ButtonLink id={editId} to={to} variant="primary">
      Edit
    </ButtonLink>
  );
}

function Sections({ of: guardrail }: { of: GuardrailRecord }) {
  const { is_default: isDefault } = guardrail;
  return (
    <>
      {assignedWords(guardrail) === null && (
        <div className="max-w-180 px-8 pt-3 max-md:px-4">
          <Notice tone="warn" role="status">
            It is not assigned to any key or creator, so it restricts no call.
          </Notice>
        </div>
      )}
      <GuardrailFacts of={guardrail} />
      {isDefault ? (
        <section aria-labelledby="guardrail-cover" className="border-t border-line px-8 py-5 max-md:px-4">
          <h2 id="guardrail-cover" className="pb-1 text-15">
            Keys
          </h2>
          <p className="max-w-160 text-fg-2">
            It covers every key of the workspace, including future ones, together with the guardrails that a key and its
            creator have.
          </p>
        </section>
      ) : (
        <>
          <AssignedKeys of={guardrail} />
          <AssignedCreators of={guardrail} />
        </>
      )}
      <DangerZone of={guardrail} />
    </>
  );
}

function DangerZone({ of: { id, is_default: isDefault } }: { of: GuardrailRecord }) {
  const { path } = useWorkspace();
  const label = isDefault ? "Reset guardrail" : "Delete guardrail";
  return (
    <section aria-labelledby="guardrail-delete" className="border-t border-line px-8 py-5 max-md:px-4">
      <h2 id="guardrail-delete" className="pb-1 text-15">
        {isDefault ? "Reset this guardrail" : "Delete this guardrail"}
      </h2>
      <p className="max-w-160 pb-3 text-fg-2">
        {isDefault
          ? "A workspace always has its default guardrail. Resetting it removes all its rules."
          : "Its rules no longer apply to the keys and creators that it is assigned to."}
      </p>
      <ButtonLink to={paths.deleteGuardrail(path, id)} variant="danger">
        {label}
      </ButtonLink>
    </section>
  );
}

function PageSkeleton() {
  return (
    <div className="grid gap-4 px-8 pt-4 max-md:px-4">
      {[280, 340, 240, 300].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
