import type { ConfigMember, DestinationType } from "#contract/destination-kinds.ts";
import { kindTitle } from "./kinds.ts";

interface KindHelp {
  /** where its key is found, or what takes its place */
  where: string;
  /** the vendor's own page about it */
  page: string;
  /** what the link is called; default: the kind's documentation */
  pageTitle?: string;
  /** what a value looks like; of a secret only its beginning, so that no example passes for one */
  examples: Readonly<Record<string, string>>;
}

const help: Readonly<Record<DestinationType, KindHelp>> = {
  arize: {
    where: "The API key is under Settings → API Keys, the space key under Space Settings.",
    page: "https://arize.com/docs/ax/security-and-settings/api-keys",
    examples: { apiKey: "ak-1a2b3c4d-…", spaceKey: "U3BhY2U6…", modelId: "support-assistant" },
  },
  braintrust: {
    where: "Make a key under Settings → Organization → API keys.",
    page: "https://www.braintrust.dev/docs/admin/organizations",
    examples: { apiKey: "sk-1a2b3c4d…", projectId: "5f0c1c2e-8d3b-4a6f-9b1e-2c7d8e9f0a1b" },
  },
  clickhouse: {
    where:
      "In ClickHouse Cloud, select the service, then Connect → HTTPS. On your own server, create a user who may insert into the table.",
    page: "https://clickhouse.com/docs/products/cloud/guides/sql-console/connection-details",
    examples: {
      host: "https://abc123.eu-central-1.aws.clickhouse.cloud:8443",
      database: "default",
      username: "default",
      password: "vQ7r…",
    },
  },
  datadog: {
    where: "Make an API key under Organization Settings → API Keys. An application key does not work here.",
    page: "https://docs.datadoghq.com/account_management/api-app-keys/",
    examples: { apiKey: "0123456789ab…", mlApp: "support-assistant" },
  },
  grafana: {
    where:
      "In the Grafana Cloud portal, open the stack, then OpenTelemetry → Configure. The endpoint, the instance id and a new token are on that page.",
    page: "https://grafana.com/docs/grafana-cloud/observe-and-act/send-data/otlp/send-data-otlp/",
    examples: { apiKey: "glc_eyJvIjoi…", instanceId: "123456" },
  },
  langfuse: {
    where: "Make a pair of keys under Project → Settings → API Keys. The secret key is shown only once.",
    page: "https://langfuse.com/faq/all/where-are-langfuse-api-keys",
    examples: { secretKey: "sk-lf-1a2b3c4d-…", publicKey: "pk-lf-1a2b3c4d-…" },
  },
  langsmith: {
    where: "Make a key under Settings → API Keys. A service key belongs to no person, which suits a gateway.",
    page: "https://docs.langchain.com/langsmith/create-account-api-key",
    examples: { apiKey: "lsv2_sk_1a2b3c4d…", workspaceId: "5f0c1c2e-8d3b-4a6f-9b1e-2c7d8e9f0a1b" },
  },
  newrelic: {
    where: "Make a key under the user menu → API Keys, of the type Ingest - License.",
    page: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
    examples: { licenseKey: "1a2b3c4d…NRAL" },
  },
  opik: {
    where: "In Comet, the key is under Account settings → API keys, in the menu of your avatar.",
    page: "https://www.comet.com/docs/opik/faq",
    examples: { apiKey: "1a2b3c4d…", workspace: "acme", projectName: "support-assistant" },
  },
  "otel-collector": {
    where:
      "A collector has no key of its own. Give the address of its OTLP receiver for HTTP; a token, if it asks for one, goes into an extra header.",
    page: "https://github.com/open-telemetry/opentelemetry-collector/blob/main/receiver/otlpreceiver/README.md",
    pageTitle: "The collector's OTLP receiver",
    examples: { endpoint: "http://collector.example.com:4318/v1/traces" },
  },
  posthog: {
    where: "Copy the project token under Settings → General of the project. A personal API key does not work here.",
    page: "https://posthog.com/docs/api",
    examples: { apiKey: "phc_1a2b3c4d…" },
  },
  ramp: {
    where: "Under Settings → Integrations, open OpenRouter, whose format this is: Connect, then Generate API Key.",
    page: "https://support.ramp.com/ai-token-spend-management",
    examples: { apiKey: "1a2b3c4d…" },
  },
  s3: {
    where:
      "In the AWS console, open IAM → Users → the user → Security credentials, then Create access key. The user needs s3:PutObject on the bucket.",
    page: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html",
    pageTitle: "Amazon's documentation",
    examples: {
      bucketName: "acme-llm-calls",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUt…EXAMPLEKEY",
      sessionToken: "IQoJb3JpZ2lu…",
      region: "eu-central-1",
      endpoint: "https://minio.example.com:9000",
    },
  },
  sentry: {
    where: "Both values are under Settings → Projects → the project → Client Keys (DSN).",
    page: "https://docs.sentry.io/concepts/otlp/direct/traces/",
    examples: {
      otlpEndpoint: "https://o123456.ingest.sentry.io/api/4501234567890123/integration/otlp/v1/traces",
      dsn: "https://1a2b3c4d…@o123456.ingest.sentry.io/4501234567890123",
    },
  },
  snowflake: {
    where:
      "Generate a programmatic access token for a user who may insert into the table and is under a network policy. Account details in Snowsight show the account.",
    page: "https://docs.snowflake.com/en/user-guide/programmatic-access-tokens",
    examples: { account: "myorg-account123", token: "eyJraWQiOi…" },
  },
  weave: {
    where: "In W&B, the API key is under User Settings.",
    page: "https://docs.wandb.ai/weave/guides/tracking/otel",
    examples: { apiKey: "1a2b3c4d…", entity: "acme", project: "support-assistant" },
  },
  webhook: {
    where:
      "A webhook has no key of its own. What your server asks for goes into an extra header, such as Authorization.",
    page: "https://opentelemetry.io/docs/specs/otlp/",
    pageTitle: "The format that it receives",
    examples: { url: "https://hooks.example.com/llm-calls" },
  },
};

/** Where a kind's key is found, and the page of the vendor that says more. */
export function keyHelp(type: DestinationType): { where: string; page: string; pageTitle: string } {
  const { where, page, pageTitle = `${kindTitle(type)}'s documentation` } = help[type];
  return { where, page, pageTitle };
}

/** What an empty field shows: the default that applies, else an example. */
export function placeholderOf(type: DestinationType, name: string, member: ConfigMember): string | undefined {
  return member.default ?? help[type].examples[name];
}
