import type { DestinationType } from "#contract/destination-kinds.ts";
import { objectFolder, pathPlaceholders } from "#contract/object-path.ts";
import type { Draft } from "./draft.ts";

/** What to enter, where the title and the default do not say it. */
const hints: Readonly<Partial<Record<DestinationType, Readonly<Record<string, string>>>>> = {
  arize: { modelId: "The name of the project that the traces appear in." },
  braintrust: { projectId: "From the project's settings; not its name." },
  clickhouse: { host: "The address of the HTTP interface, with its port." },
  datadog: {
    url: "The API address of your site. Default: https://api.us5.datadoghq.com. For the EU: https://api.datadoghq.eu.",
    mlApp: "The application's name in LLM Observability.",
  },
  grafana: {
    baseUrl:
      "The OTLP gateway of your stack's region, not the dashboards' address. Default: https://otlp-gateway-prod-us-west-0.grafana.net.",
    instanceId: "The number of the stack, on its OpenTelemetry page.",
  },
  langfuse: {
    baseUrl:
      "The region of your project. Default: https://us.cloud.langfuse.com. For the EU: https://cloud.langfuse.com.",
  },
  langsmith: {
    endpoint: "Default: https://api.smith.langchain.com. For the EU: https://eu.api.smith.langchain.com.",
    workspaceId: "Only for a key of the whole organization.",
  },
  opik: { workspace: "The workspace's name, as in the address of its page." },
  "otel-collector": {
    endpoint: "The whole address for traces; nothing is added.",
  },
  posthog: { endpoint: "Default: https://us.i.posthog.com. For the EU: https://eu.i.posthog.com." },
  sentry: { otlpEndpoint: "The OTLP traces endpoint, from the project's Client Keys page." },
  snowflake: { account: "The account identifier: organization and account." },
  weave: { entity: "Your team's or your own user name." },
  webhook: { url: "The whole address; nothing is added." },
  s3: {
    region: "Default: us-east-1 at Amazon, auto at an endpoint of your own.",
    endpoint: "Leave it empty for Amazon S3. For another store its address; the bucket is added to its path.",
  },
};

type HintedDraft = Pick<Draft, "config" | "broadcast_generation_identity">;

/** The sentence under a member's field; of the path template with an example made from what is typed. */
export function fieldHint(type: DestinationType, name: string, draft: HintedDraft, at: Date): string | undefined {
  if (type === "s3" && name === "pathTemplate") return pathHint(draft, at);
  return hints[type]?.[name];
}

function pathHint({ config, broadcast_generation_identity: named }: HintedDraft, at: Date): string {
  const typed = (member: string, standard: string) => {
    const value = config[member];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : standard;
  };
  const template = typed("pathTemplate", "{prefix}/{date}");
  const folder = objectFolder(template, {
    prefix: typed("prefix", "openrouter-traces"),
    at,
    keyName: named ? "prod-search" : null,
  });
  const known: readonly string[] = pathPlaceholders;
  const strange = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([whole, name = ""]) =>
    known.includes(name) ? [] : whole,
  );
  const stays = strange.length === 0 ? "" : ` ${strange.join(" and ")} is not a placeholder and stays as is.`;
  return `A call of the key prod-search made now goes into ${folder}gen-….jsonl.${stays} Placeholders, in UTC: ${known.map((one) => `{${one}}`).join(", ")}.`;
}
