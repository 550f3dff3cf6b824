import { Button } from "../ui/Button.tsx";

/** An earlier visit's draft is offered, never restored automatically. */
export function DraftOffer({ restore, drop, note }: { restore: () => void; drop: () => void; note?: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-l-[3px] border-line-2 bg-bg-2 py-1.5 pr-2 pl-3 text-12">
      <p className="grow">This form was left unfinished less than 30 minutes ago.{note && ` ${note}`}</p>
      <Button size="sm" onClick={restore}>
        Restore draft
      </Button>
      <Button size="sm" variant="quiet" onClick={drop}>
        Discard it
      </Button>
    </div>
  );
}
