/** The variable that a program reads a key from. */
export type KeyVariable = "GATEHOUSE_API_KEY" | "GATEHOUSE_MANAGEMENT_KEY";

/** The text of the file that "Download .env" writes. */
export function envText(variable: KeyVariable, key: string, baseUrl: string): string {
  return `${variable}=${key}\nGATEHOUSE_BASE_URL=${baseUrl}\n`;
}

/** `Prod Search (EU)` → `prod-search-eu.env`. */
export function envFileName(keyName: string): string {
  const slug = keyName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${slug || "gateway"}.env`;
}
