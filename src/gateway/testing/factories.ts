import type { CreateKeyBody, KeyRecord } from "#contract/keys.ts";
import type { CreateProviderBody, ProviderRecord } from "#contract/providers.ts";
import type { CreateWorkspaceBody, WorkspaceRecord } from "#contract/workspaces.ts";
import type { TestGateway } from "./gateway.ts";

let made = 0;

/** Makes an ordinary key through the API; what is not given is plain. */
export async function makeKey(
  gateway: TestGateway,
  body: Partial<CreateKeyBody> = {},
): Promise<{ key: string; record: KeyRecord }> {
  made += 1;
  const answer = await gateway.call("POST", "/keys", { body: { name: `key ${made}`, ...body } });
  if (answer.status !== 201) throw new Error(`no key was made: ${answer.text}`);
  return { key: answer.json.key, record: answer.json.data };
}

export async function makeWorkspace(
  gateway: TestGateway,
  body: Partial<CreateWorkspaceBody> = {},
): Promise<WorkspaceRecord> {
  made += 1;
  const answer = await gateway.call("POST", "/workspaces", {
    body: { name: `Workspace ${made}`, slug: `workspace-${made}`, ...body },
  });
  if (answer.status !== 201) throw new Error(`no workspace was made: ${answer.text}`);
  return answer.json.data;
}

/** Makes a provider through the API; what is not given is plain. */
export async function makeProvider(
  gateway: TestGateway,
  body: Pick<CreateProviderBody, "slug" | "base_url" | "models"> & Partial<CreateProviderBody>,
): Promise<ProviderRecord> {
  const answer = await gateway.call("POST", "/providers", {
    body: { name: body.slug, kind: "openai-compatible", ...body },
  });
  if (answer.status !== 201) throw new Error(`no provider was made: ${answer.text}`);
  return answer.json.data;
}
