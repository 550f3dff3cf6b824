import type { Candidate } from "../domain/routing.ts";
import type { ChatRun } from "./chat-settle.ts";

const optIn = "x-openrouter-metadata";

/**
 * How a call was routed, in the public API's member `openrouter_metadata`, for callers who ask by the header
 * `X-OpenRouter-Metadata: enabled`; else nothing.
 */
export function routingReport({ begun, request, route, tried }: ChatRun, served: Candidate): Record<string, unknown> {
  if (begun.call.headers[optIn] !== "enabled") return {};
  const { attempts } = tried;
  const others = attempts.length - 1;
  return {
    openrouter_metadata: {
      requested: request.models[0] ?? "",
      strategy: request.models.length > 1 ? "fallback" : "direct",
      region: null,
      is_byok: served.byok !== null,
      attempt: attempts.length,
      // 0 where no answer came: the public API has no null there.
      attempts: attempts.map(({ provider, model, status }) => ({ provider, model, status: status ?? 0 })),
      endpoints: {
        total: route.candidates.length + route.passedOver.length,
        available: route.candidates.map(({ provider, model, byok }) => ({
          provider: provider.name,
          model: model.id,
          selected: provider.slug === served.provider.slug && model.id === served.model.id && byok === served.byok,
        })),
      },
      summary: `${served.provider.name} answered${others === 0 ? "" : ` after ${others} that did not`}`,
    },
  };
}
