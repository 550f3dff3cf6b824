import { invalid } from "../domain/refusal.ts";

/**
 * What vendors read in place of the inputs that a call is priced by, or in addition to them: vLLM's embeddings and scores,
 * Cohere's, Voyage's and TEI's inputs, Gemini's content and Vertex AI's instances.
 */
const otherInputs = [
  "messages",
  "prompts",
  "text",
  "texts",
  "image",
  "images",
  "inputs",
  "content",
  "contents",
  "instances",
  "requests",
  "data_1",
  "data_2",
  "text_1",
  "text_2",
  "queries",
];

/**
 * @param own what is served instead
 * @throws Refusal invalid_request
 */
export function refuseOtherInputs(members: Readonly<Record<string, unknown>>, own: string): void {
  const given = otherInputs.find((name) => (members[name] ?? null) !== null);
  if (given !== undefined) throw invalid(given, `must be sent as ${own}, by which the call is priced`);
}
