import { StatusShape } from "../ui/Status.tsx";

interface FailingCountProps {
  total: number | undefined;
  failing: number;
  /** how grave the gravest of them is */
  kind?: "trouble" | "warning";
}

/** How many there are; or how many of them fail, once one does. */
export function FailingCount({ total, failing, kind = "trouble" }: FailingCountProps) {
  if (failing === 0) return total?.toLocaleString("en-US");
  return (
    <>
      <StatusShape kind={kind} size={8} />
      {failing}
      <span className="sr-only">{kind === "trouble" ? "failing" : "overloaded"}</span>
    </>
  );
}
