import { useQuery } from "@tanstack/react-query";
import { everyProvider } from "../api/providers.ts";
import { FailingCount } from "./FailingCount.tsx";
import { inTrouble } from "./provider-status.ts";

export function ProviderCount() {
  const providers = useQuery(everyProvider).data?.data;
  return <FailingCount total={providers?.length} failing={providers?.filter(inTrouble).length ?? 0} />;
}
