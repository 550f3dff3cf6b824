import { scimSchemas } from "#contract/scim-protocol.ts";
import type { Answer, TestGateway } from "./gateway.ts";

export type IdentityProvider = Awaited<ReturnType<typeof connectDirectory>>;

/** An identity provider with a token of its own. */
export async function connectDirectory(gateway: TestGateway) {
  const made = await gateway.call("POST", "/scim/tokens", { body: { name: "Okta" } });
  if (made.status !== 201) throw new Error(made.text);
  const { token, data } = made.json as { token: string; data: { id: string; label: string } };
  const scim = async (method: string, path: string, body?: unknown, more: Sent = {}): Promise<Answer> => {
    const payload = more.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${gateway.url}/scim/v2${path}`, {
      method,
      headers: {
        ...(more.token === null ? {} : { authorization: `Bearer ${more.token ?? token}` }),
        ...(payload === undefined ? {} : { "content-type": more.type ?? "application/scim+json" }),
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const json: unknown = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, json };
  };
  const user = async (userName: string, more: object = {}): Promise<string> => {
    const answer = await scim("POST", "/Users", { schemas: [scimSchemas.user], userName, ...more });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.id as string;
  };
  const group = async (displayName: string, members: readonly string[] = []): Promise<string> => {
    const sent = { schemas: [scimSchemas.group], displayName, members: members.map((value) => ({ value })) };
    const answer = await scim("POST", "/Groups", sent);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.id as string;
  };
  const patch = async (path: string, ...Operations: object[]) =>
    await scim("PATCH", path, { schemas: [scimSchemas.patch], Operations });
  return { ...data, token, scim, user, group, patch };
}

interface Sent {
  token?: string | null;
  raw?: string;
  type?: string;
}
