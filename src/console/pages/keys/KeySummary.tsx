import { useDebounced } from "../../form/use-debounced.ts";
import type { Part } from "./summary.ts";

const saidAfterMs = 500;

/** What the form would make, as a sentence; read out once typing has paused. */
export function KeySummary({ parts }: { parts: readonly Part[] }) {
  const text = parts.map((part) => part.text).join("");
  const said = useDebounced(text, saidAfterMs);
  return (
    <>
      <p aria-hidden="true" className="max-w-125">
        {parts.map((part, index) =>
          part.strong ? (
            <b key={index} className="font-semibold">
              {part.text}
            </b>
          ) : (
            part.text
          ),
        )}
      </p>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}
