import { configMembers, destinationKinds, DestinationType, type ConfigMember } from "#contract/destination-kinds.ts";

/** Two letters in the place of a brand's logo. */
export const plates: Readonly<Record<DestinationType, string>> = {
  arize: "Az",
  braintrust: "Bt",
  clickhouse: "Ch",
  datadog: "Dd",
  grafana: "Gr",
  langfuse: "Lf",
  langsmith: "Ls",
  newrelic: "Nr",
  opik: "Op",
  "otel-collector": "Ot",
  posthog: "Ph",
  ramp: "Ra",
  s3: "S3",
  sentry: "Se",
  snowflake: "Sf",
  weave: "We",
  webhook: "Wh",
};

export const allKinds = DestinationType.options;

/** The kind that an address names; undefined where it names none. */
export const readKind = (text: string | undefined): DestinationType | undefined =>
  allKinds.find((kind) => kind === text);

export const kindTitle = (type: DestinationType): string => destinationKinds[type].title;

/** The members of a kind in the order of the form: addresses first, then the rest, secrets and extra headers last. */
export function formMembers(type: DestinationType): readonly (readonly [name: string, member: ConfigMember])[] {
  const rank = (member: ConfigMember) =>
    member.form === "headers" ? 3 : member.secret ? 2 : member.addressesHost ? 0 : 1;
  return Object.entries(configMembers(type)).toSorted(([, a], [, b]) => rank(a) - rank(b));
}
