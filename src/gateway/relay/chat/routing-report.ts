import type { ContentFilterMatch } from "#contract/content-filter-match.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { FormedCall } from "../caller-form.ts";

interface RoutingReport {
  service_metadata?: Record<string, unknown>;
  openrouter_metadata?: Record<string, unknown>;
}

const optIn = "x-openrouter-metadata";

/**
 * How a call was routed, in `service_metadata` and in the official client's `openrouter_metadata`, for callers who ask by the header
 * `X-OpenRouter-Metadata: enabled`; else nothing.
 */
export function routingReport(
  { context, request, route, attempts: { made } }: FormedCall,
  served: Candidate | null,
): RoutingReport {
  if (context.call.headers[optIn] !== "enabled") return {};
  const others = made.filter(({ error }) => error !== null).length;
  const report = {
    requested: request.models[0] ?? "",
    strategy: request.models.length > 1 ? "fallback" : "direct",
    region: null,
    is_byok: served !== null && served.byok !== null,
    attempt: made.length,
    // 0 where no answer came: the public API has no null there.
    attempts: made.map(({ provider, model, status }) => ({ provider, model, status: status ?? 0 })),
    endpoints: {
      total: route.candidates.length + route.passedOver.length,
      available: route.candidates.map(({ provider, model, byok }) => ({
        provider: provider.name,
        model: model.id,
        selected: provider.slug === served?.provider.slug && model.id === served.model.id && byok === served.byok,
      })),
    },
    summary:
      served === null
        ? `${others} did not answer`
        : `${served.provider.name} answered${others === 0 ? "" : ` after ${others} that did not`}`,
    ...(context.call.contentFilters !== undefined && { pipeline: [filtersStep(context.call.contentFilters)] }),
  };
  return { service_metadata: report, openrouter_metadata: report };
}

/** What content filters found, as a step before the call. */
function filtersStep(matches: readonly ContentFilterMatch[]) {
  const summary = matches.map(({ label, action, count }) => `${label}: ${action} ${count}`).join(", ");
  return { type: "guardrail", name: "content_filters", summary, data: { matches } };
}

/** The error with how its call was routed, for callers who ask. */
export function withReport(error: unknown, run: FormedCall): unknown {
  if (error instanceof Refusal) error.details.report = routingReport(run, null);
  return error;
}
