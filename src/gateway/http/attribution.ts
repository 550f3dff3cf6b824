import type { IncomingHttpHeaders } from "node:http";
import type { Attribution } from "../relay/model-call.ts";

const longest = 500;
const mostCategories = 10;

/** Of a call that an admin makes as a key: whatever its headers say, the console made it. */
export const consoleAttribution: Attribution = { referer: null, title: "Gatehouse console", categories: [] };

/**
 * Reads the attribution headers. The title's name has three spellings in the public API's history and its clients;
 * the specification's own goes first.
 */
export function attribution(headers: IncomingHttpHeaders): Attribution {
  return {
    referer: text(headers["http-referer"] ?? headers.referer),
    title: text(headers["x-service-title"] ?? headers["x-openrouter-title"] ?? headers["x-title"]),
    categories: (text(headers["x-openrouter-categories"]) ?? "")
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "" && word.length <= 30)
      .slice(0, mostCategories),
  };
}

function text(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  const clean = first?.replaceAll("\0", "").trim().slice(0, longest) ?? "";
  return clean === "" ? null : clean;
}
