import { RerankBody } from "#contract/rerank.ts";
import type { ProviderPreferences } from "#contract/routing.ts";
import type { EmbeddingPart, RerankDocument } from "../../providers/provider.ts";
import { given } from "../../providers/messages.ts";
import type { Turn } from "../../turns.ts";
import { readMembers } from "../read-body.ts";
import { refuseOtherInputs } from "../refuse-other-inputs.ts";

/** A rerank call as the caller sent it, checked. */
export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly RerankDocument[];
  /** how many results are returned; at most as many as there are documents */
  readonly topN: number;
  readonly user: string | null;
  readonly preferences: ProviderPreferences;
  readonly sessionId: string | null;
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** members that are the provider's */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Values in a body: a document is at most three. */
const mostValues = 20_000;

/** @throws Refusal invalid_request, naming the member and what would be valid */
export async function readRerankRequest(bytes: Buffer, turn: Turn): Promise<RerankRequest> {
  // Answers always have the documents.
  const {
    model,
    query,
    documents,
    top_n,
    user,
    provider,
    session_id,
    trace,
    return_documents: _,
    ...extra
  } = await readMembers(RerankBody, bytes, turn, mostValues);
  refuseOtherInputs(extra, "query and documents");
  return {
    model,
    query,
    documents: documents.map((document) =>
      typeof document === "string"
        ? { text: document, image: null }
        : { text: document.text ?? null, image: document.image ?? null },
    ),
    topN: Math.min(top_n ?? documents.length, documents.length),
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    // Vendors refuse null for what they do not know.
    extra: given(extra),
  };
}

/** A document as an input of an embedding model. */
export function partsOf({ text, image }: RerankDocument): EmbeddingPart[] {
  return [
    ...(text === null ? [] : [{ type: "text", text } as const]),
    ...(image === null ? [] : [{ type: "image_url", image_url: { url: image } } as const]),
  ];
}
