/** The placeholders of an S3 destination's path template; the times are UTC. */
export const pathPlaceholders = ["prefix", "date", "year", "month", "day", "hour", "apiKeyName"] as const;

/** The values that a call supplies for a path template's placeholders. */
export interface PathValues {
  prefix: string;
  /** when the call began */
  at: Date;
  /** null: the key's name is not sent */
  keyName: string | null;
}

/** The folder that a path template gives for a call, with a trailing slash; "" for the bucket itself. */
export function objectFolder(template: string, { prefix, at, keyName }: PathValues): string {
  const date = at.toISOString();
  const values: Record<(typeof pathPlaceholders)[number], string> = {
    prefix,
    date: date.slice(0, 10),
    year: date.slice(0, 4),
    month: date.slice(5, 7),
    day: date.slice(8, 10),
    hour: date.slice(11, 13),
    apiKeyName: (keyName ?? "unknown").replaceAll(/[^\w.-]+/g, "_"),
  };
  const folder = template
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name as keyof typeof values] ?? whole)
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..")
    .join("/");
  return folder === "" ? "" : `${folder}/`;
}
