import { basePath } from "#contract/api.ts";
import type { Endpoint, Input, Output } from "#contract/endpoint.ts";
import type { RunningGateway } from "./process.ts";

/** The API from a program's point of view, for what a journey or a bench has to set up or look up. */
export type Api = <E extends Endpoint>(endpoint: E, input?: Input<E>) => Promise<Output<E>>;

/** Calls with the management key, or with `credential`. An error answer is thrown with its status and message. */
export function apiOf(
  gateway: Pick<RunningGateway, "url" | "managementKey">,
  credential: string = gateway.managementKey,
): Api {
  return async (endpoint, input) => {
    const { params = {}, query = {}, body } = { ...input } as Partial<Record<"params" | "query" | "body", object>>;
    const path = Object.entries(params).reduce(
      (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
      endpoint.path as string,
    );
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await fetch(`${gateway.url}${basePath}${path}?${search.toString()}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${endpoint.name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Output<typeof endpoint>;
  };
}
