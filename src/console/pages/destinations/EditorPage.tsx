import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { getDestinationHealth } from "#contract/forwarding.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { NotFoundHere } from "../../shell/NotFound.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useSlow } from "../../ui/use-slow.ts";
import { Editor } from "./Editor.tsx";
import { readKind } from "./kinds.ts";
import { sections } from "./sections.ts";
import { useDestination } from "./use-destination.ts";

/** One destination: its form, its health, and what it sends. */
export function EditorPage() {
  const { id = "" } = useParams({ strict: false });
  const found = useDestination();
  const [form, setForm] = useState(0);
  // what fails is said over the form, and would push it down
  const health = useQuery(query(getDestinationHealth, { params: { id } }));
  const slow = useSlow(health.isPending);
  // for good: a health that failed is read again by the form, and is pending then
  const [shown, setShown] = useState<string>();
  if (shown !== id && found.data && (slow || !health.isPending)) setShown(id);
  if (found.data && shown === id) {
    return (
      <>
        <Editor
          key={`${id} ${form}`}
          type={found.data.record.type}
          stored={found.data}
          latest={found.data}
          gone={isNotFound(found.error)}
          onSecretSaved={() => {
            setForm((before) => before + 1);
            document.querySelector<HTMLElement>("main h1")?.focus();
          }}
        />
        <Outlet />
      </>
    );
  }
  return (
    <>
      <PageHeader title="Destination" />
      <QueryBoundary<unknown> query={found.data ? health : found} what="the destination" skeleton={<EditorSkeleton />}>
        {() => null}
      </QueryBoundary>
    </>
  );
}

/** A new destination of the kind that the address names. */
export function NewDestinationPage() {
  const { type: text } = useParams({ strict: false });
  const type = readKind(text);
  if (type === undefined) return <NotFoundHere />;
  return (
    <Editor key={type} type={type} stored={null} latest={undefined} gone={false} onSecretSaved={() => undefined} />
  );
}

function EditorSkeleton() {
  return (
    <div className="grid max-w-160 gap-6 px-8 pt-6 max-md:px-4">
      {sections.map(({ id, title }) => (
        <div key={id} className="grid gap-3 border-b border-line pb-6">
          <span className="text-15">{title}</span>
          <Skeleton height={32} />
        </div>
      ))}
    </div>
  );
}
