/** The bytes of a value as JSON, without making the JSON. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value) + 3;
  if (typeof value !== "object" || value === null) return String(value).length + 1;
  let bytes = 3;
  if (Array.isArray(value)) for (const each of value) bytes += bytesOf(each);
  // Not the entries: the pairs take three times as long.
  else for (const name of Object.keys(value)) bytes += Buffer.byteLength(name) + 4 + bytesOf((value as Part)[name]);
  return bytes;
}

type Part = Readonly<Record<string, unknown>>;
