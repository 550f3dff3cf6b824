/** The bytes of a value as JSON, without making the JSON. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value) + 3;
  if (typeof value !== "object" || value === null) return String(value).length + 1;
  let bytes = 3;
  if (Array.isArray(value)) for (const each of value) bytes += bytesOf(each);
  else for (const [name, each] of Object.entries(value)) bytes += Buffer.byteLength(name) + 4 + bytesOf(each);
  return bytes;
}
