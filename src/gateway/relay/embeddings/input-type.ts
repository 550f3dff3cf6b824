import type { CatalogModel } from "../../domain/routing/catalog.ts";
import type { Role } from "../../providers/local/model-messages.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import { know, ownCount } from "./estimate.ts";
import type { EmbeddingsRequest } from "./request.ts";

const roles: Readonly<Record<string, Role>> = {
  query: "query",
  search_query: "query",
  document: "document",
  passage: "document",
  search_document: "document",
};

/** Whether an input type means searching or what is searched; null: neither. */
export function roleOf(inputType: string | null | undefined): Role | null {
  return roles[inputType ?? ""] ?? null;
}

/** The request for the inputs of one kind: of a rerank call, the query's and the documents' differ. */
export function requestAt(request: EmbeddingsRequest, position: number): EmbeddingsRequest {
  if (request.queries === null) return request;
  const known = byRole.get(request) ?? {
    query: { ...request, queries: null, inputType: "query" },
    document: { ...request, queries: null, inputType: "document" },
  };
  byRole.set(request, known);
  return position < request.queries ? known.query : known.document;
}

/** Cached, because the requests are keys of other caches. */
const byRole = new WeakMap<EmbeddingsRequest, Readonly<Record<Role, EmbeddingsRequest>>>();

/** How a model has the inputs of a call embedded. */
export interface InputForm {
  /** what its vendor is told; null: nothing, because there is none, or because the prefix says it */
  readonly inputType: string | null;
  /** what the gateway puts before each text */
  readonly prefix: string;
}

type Settings = Pick<CatalogModel, "inputType" | "queryPrefix" | "documentPrefix">;

/** The caller's input type, else the one set for the model, as that model takes it. */
export function inputFormOf(model: Settings, request: Pick<EmbeddingsRequest, "inputType">): InputForm {
  const inputType = request.inputType ?? model.inputType;
  const role = roleOf(inputType);
  const prefix = (role === "query" ? model.queryPrefix : role === "document" ? model.documentPrefix : null) ?? "";
  return { inputType: prefix === "" ? inputType : null, prefix };
}

/** Inputs with the prefix before their text. An image alone has none. */
export function withPrefix(items: readonly EmbeddingItem[], prefix: string): readonly EmbeddingItem[] {
  return prefix === "" ? items : items.map((item) => prefixed(item, prefix));
}

function prefixed(item: EmbeddingItem, prefix: string): EmbeddingItem {
  if (item.type === "text") {
    const made = { type: "text", text: prefix + item.text } as const;
    // Counting all of a long text again would hold the thread.
    know(made, ownCount(item) + tokensOf(prefix));
    return made;
  }
  if (item.type === "tokens") return item;
  const [first, ...rest] = item.parts;
  return first?.type === "text" ? { ...item, parts: [{ ...first, text: prefix + first.text }, ...rest] } : item;
}

/** The gateway's own count of a prefix. */
export function tokensOf(prefix: string): number {
  return prefix === "" ? 0 : ownCount({ type: "text", text: prefix });
}
