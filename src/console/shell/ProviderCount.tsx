import { useQuery } from "@tanstack/react-query";
import { everyProvider } from "../api/providers.ts";
import { FailingCount } from "./FailingCount.tsx";
import { inTrouble, troubleKind } from "./provider-status.ts";

export function ProviderCount() {
  const providers = useQuery(everyProvider).data?.data;
  const troubled = providers?.filter(inTrouble) ?? [];
  const isGrave = troubled.some(({ health }) => troubleKind(health.status) === "trouble");
  return <FailingCount total={providers?.length} failing={troubled.length} kind={isGrave ? "trouble" : "warning"} />;
}
