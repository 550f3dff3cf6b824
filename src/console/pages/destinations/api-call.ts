import { type Draft, isHeaders } from "./draft.ts";

/** A call as it would be sent, with a name in the place of each secret. */
export function callText(
  method: "POST" | "PATCH",
  path: string,
  body: { config?: Record<string, unknown> | undefined },
  draft: Draft,
): string {
  const config =
    body.config &&
    Object.fromEntries(
      Object.entries(body.config).map(([name, value]) => {
        const edited = draft.config[name];
        if (value === null || edited === undefined || typeof edited === "string") return [name, value];
        if (!isHeaders(edited)) return [name, variable(name)];
        return [name, Object.fromEntries(Object.keys(value as object).map((header) => [header, variable(header)]))];
      }),
    );
  return `${method} ${path} ${JSON.stringify({ ...body, ...(config && { config }) }, null, 2)}`;
}

/** secretKey → $SECRET_KEY */
const variable = (name: string) =>
  `$${name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]/g, "_")
    .toUpperCase()}`;
