import { configMembers, type DestinationType } from "#contract/destination-kinds.ts";
import { clickhouse } from "./clickhouse.ts";
import { datadog } from "./datadog.ts";
import type { Format, Sink } from "./format.ts";
import { otlp } from "./otlp.ts";
import { otlpVendors } from "./otlp-vendors.ts";
import { posthog } from "./posthog.ts";
import { s3 } from "./s3.ts";
import { snowflake } from "./snowflake.ts";

/** The wire format of each kind of destination. */
export const formats: Readonly<Record<DestinationType, Format>> = {
  arize: otlp(otlpVendors.arize),
  braintrust: otlp(otlpVendors.braintrust),
  clickhouse,
  datadog,
  grafana: otlp(otlpVendors.grafana),
  langfuse: otlp(otlpVendors.langfuse),
  langsmith: otlp(otlpVendors.langsmith),
  newrelic: otlp(otlpVendors.newrelic),
  opik: otlp(otlpVendors.opik),
  "otel-collector": otlp(otlpVendors["otel-collector"]),
  posthog,
  ramp: otlp(otlpVendors.ramp),
  s3,
  sentry: otlp(otlpVendors.sentry),
  snowflake,
  weave: otlp(otlpVendors.weave),
  webhook: otlp(otlpVendors.webhook),
};

/** A stored config as its format reads it: defaults filled in, the extra headers apart. */
export function sinkOf(
  type: DestinationType,
  config: Readonly<Record<string, string | Readonly<Record<string, string>>>>,
): Sink {
  const texts: Record<string, string> = {};
  for (const [name, { default: standard }] of Object.entries(configMembers(type))) {
    const value = config[name] ?? standard;
    if (typeof value === "string") texts[name] = value;
  }
  const { headers } = config;
  return { type, config: texts, headers: typeof headers === "object" ? headers : {} };
}
