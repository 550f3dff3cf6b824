import { formatCount } from "../../format.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { change } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";

/** How many rows were picked on the map, and the way to them in the list. */
export function PickedRows({ playground: { store }, set, picked }: ViewProps & { picked: readonly number[] }) {
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 text-12 text-fg-2">
      <span>{picked.length === 1 ? "1 row picked" : `${formatCount(picked.length)} rows picked`}</span>
      <LinkButton onClick={() => set({ view: "list" })}>See them in the list</LinkButton>
      <LinkButton onClick={() => change(store, { picked: null })}>Clear</LinkButton>
    </p>
  );
}
