import { useNavigate } from "@tanstack/react-router";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";

interface ProviderMenuProps {
  provider: ProviderRecord;
  /** in the order of providers, counted from 0 */
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
}

export function ProviderMenu({ provider, place, count, onMove }: ProviderMenuProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const builtin = provider.kind === "builtin";
  const to = (make: (workspace: string, slug: string) => string) => () =>
    void navigate({ to: make(path, provider.slug) });
  return (
    <RowMenu
      name={provider.name}
      items={[
        { label: "Open", onSelect: to(paths.provider) },
        { label: "Edit", disabledReason: reason, onSelect: to(paths.editProvider) },
        {
          label: "Choose models",
          disabledReason: builtin ? "It computes its one model itself." : reason,
          onSelect: to(paths.pickModels),
        },
        {
          label: "Change history",
          onSelect: () =>
            void navigate({ to: paths.audit(path), search: { target_type: "provider", target_id: provider.slug } }),
        },
        {
          label: "Move up",
          disabledReason: place === 0 ? "It is already first." : reason,
          onSelect: () => onMove(-1),
        },
        {
          label: "Move down",
          disabledReason: place === count - 1 ? "It is already last." : reason,
          onSelect: () => onMove(1),
        },
        { kind: "line" },
        {
          label: "Delete",
          danger: true,
          disabledReason: builtin ? "The built-in provider stays; switch it off instead." : reason,
          onSelect: to(paths.deleteProvider),
        },
      ]}
    />
  );
}
