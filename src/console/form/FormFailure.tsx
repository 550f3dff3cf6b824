import { useExplanation } from "../api/use-explanation.ts";
import { StatusShape } from "../ui/Status.tsx";

/** A refusal that belongs to no field: what happened, the server's words, and how to name it in a report. */
export function FormFailure({ failure }: { failure: unknown }) {
  const { title, advice, said, status, requestId } = useExplanation(failure);
  if (failure === null) return null;
  return (
    <div role="alert" className="grid gap-0.5 text-12">
      <p className="flex items-start gap-1.5 text-bad-fg">
        <StatusShape kind="trouble" size={9} className="mt-1 text-bad-fg" />
        <span>
          {/* a countdown is not read out each second */}
          <b className="font-semibold">{title}.</b> <span aria-live="off">{advice}</span>
        </span>
      </p>
      {said !== undefined && <p className="pl-[15px] text-fg-2">“{said}”</p>}
      {(status !== undefined || requestId !== undefined) && (
        <p className="pl-[15px] text-fg-3">
          {status !== undefined && `HTTP ${status}`}
          {requestId !== undefined && (
            <>
              {" · "}
              <span className="mono select-all">{requestId}</span>
            </>
          )}
        </p>
      )}
    </div>
  );
}
