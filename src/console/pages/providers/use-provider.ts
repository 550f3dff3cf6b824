import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getProvider } from "#contract/providers.ts";
import { everyProvider } from "../../api/providers.ts";
import { query } from "../../api/query.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";

/** The provider that the URL names; at once if it is in the list, then refetched. */
export function useProvider() {
  const { slug = "" } = useParams({ strict: false });
  const listed = useQuery({ ...everyProvider, enabled: false }).data?.data.find((one) => one.slug === slug);
  return useQuery({
    ...query(getProvider, { params: { slug } }),
    placeholderData: () => listed && { data: listed },
    refetchInterval: 15_000,
  });
}

/** Back to the provider's page. */
export function useCloseToProvider(): () => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { slug = "" } = useParams({ strict: false });
  return () => closePanel(paths.provider(path, slug));
}
