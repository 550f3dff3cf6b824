import { StatusShape } from "../ui/Status.tsx";

/** How many there are; or how many of them fail, once one does. */
export function FailingCount({ total, failing }: { total: number | undefined; failing: number }) {
  if (failing === 0) return total?.toLocaleString("en-US");
  return (
    <>
      <StatusShape kind="trouble" size={8} />
      {failing}
      <span className="sr-only">failing</span>
    </>
  );
}
