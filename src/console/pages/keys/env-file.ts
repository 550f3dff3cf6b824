/** The text of the file that "Download .env" writes. */
export function envText(key: string, baseUrl: string): string {
  return `GATEWAY_API_KEY=${key}\nGATEWAY_BASE_URL=${baseUrl}\n`;
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

/** Offers `content` as a download. The object URL is gone before the click's own tick is over. */
export function download(fileName: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
