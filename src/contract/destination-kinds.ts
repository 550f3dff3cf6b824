import * as z from "zod/mini";

/** One member of a destination's `config`. */
export interface ConfigMember {
  /** the field's label */
  title: string;
  required: boolean;
  /** masked in answers, encrypted at rest */
  secret: boolean;
  /** the value's format */
  form: "text" | "url" | "host" | "headers" | "choice";
  /** used when the member is omitted */
  default?: string;
  choices?: readonly string[];
  /** the pattern that a text must match, and how to say so */
  pattern?: { test: RegExp; message: string };
  /** it is sent in a header as it is */
  inHeader?: boolean;
  /** true where the value determines which host receives the secrets */
  addressesHost?: boolean;
}

export interface DestinationKind {
  title: string;
  /** one line: what arrives at the destination */
  sends: string;
  config: Readonly<Record<string, ConfigMember>>;
}

const text = (title: string, more: Partial<ConfigMember> = {}): ConfigMember => ({
  title,
  required: true,
  secret: false,
  form: "text",
  ...more,
});
const secret = (title: string, more: Partial<ConfigMember> = {}): ConfigMember =>
  text(title, { secret: true, ...more });
const url = (title: string, standard?: string, more: Partial<ConfigMember> = {}): ConfigMember =>
  text(title, {
    form: "url",
    addressesHost: true,
    required: standard === undefined,
    ...(standard === undefined ? {} : { default: standard }),
    ...more,
  });

const inHeader = { inHeader: true } as const;

/** Every kind accepts extra request headers; their values are secrets. */
const headers: ConfigMember = { title: "Extra headers", required: false, secret: true, form: "headers" };

/**
 * The 17 kinds of the public API with the members of their `config`, its defaults and rules.
 * The schemas, the masking, the console's forms and the list of types are all generated from this table.
 */
export const destinationKinds = {
  arize: {
    title: "Arize",
    sends: "Traces with OpenInference attributes",
    config: {
      apiKey: secret("API key", inHeader),
      spaceKey: secret("Space key", inHeader),
      modelId: text("Model id"),
      baseUrl: url("Base URL", "https://otlp.arize.com"),
      headers,
    },
  },
  braintrust: {
    title: "Braintrust",
    sends: "Traces in one project",
    config: {
      apiKey: secret("API key", inHeader),
      projectId: text("Project id", inHeader),
      baseUrl: url("Base URL", "https://api.braintrust.dev"),
      headers,
    },
  },
  clickhouse: {
    title: "ClickHouse",
    sends: "One row per call",
    config: {
      host: text("Host", { form: "host", addressesHost: true }),
      database: text("Database"),
      username: text("User name", inHeader),
      password: secret("Password", inHeader),
      table: text("Table", { required: false, default: "OPENROUTER_TRACES" }),
      headers,
    },
  },
  datadog: {
    title: "Datadog",
    sends: "One LLM Observability span per call",
    config: {
      apiKey: secret("API key", inHeader),
      mlApp: text("ML app"),
      url: url("URL", "https://api.us5.datadoghq.com"),
      headers,
    },
  },
  grafana: {
    title: "Grafana Cloud",
    sends: "Traces in one stack",
    config: {
      apiKey: secret("API key"),
      instanceId: text("Instance id"),
      baseUrl: url("Base URL", "https://otlp-gateway-prod-us-west-0.grafana.net"),
      headers,
    },
  },
  langfuse: {
    title: "Langfuse",
    sends: "Traces with generations, embeddings and their cost",
    config: {
      secretKey: secret("Secret key"),
      // The public API's record masks it like the secret key.
      publicKey: secret("Public key"),
      baseUrl: url("Base URL", "https://us.cloud.langfuse.com"),
      headers,
    },
  },
  langsmith: {
    title: "LangSmith",
    sends: "Traces as LLM and embedding runs of one project",
    config: {
      apiKey: secret("API key", inHeader),
      endpoint: url("Endpoint", "https://api.smith.langchain.com"),
      project: text("Project", { ...inHeader, required: false, default: "main" }),
      workspaceId: text("Workspace id", { ...inHeader, required: false }),
      headers,
    },
  },
  newrelic: {
    title: "New Relic",
    sends: "Traces in the US or the EU region",
    config: {
      licenseKey: secret("License key", inHeader),
      region: text("Region", {
        required: false,
        form: "choice",
        choices: ["us", "eu"],
        default: "us",
        addressesHost: true,
      }),
      headers,
    },
  },
  opik: {
    title: "Opik",
    sends: "Traces in one project of a workspace",
    config: {
      apiKey: secret("API key", inHeader),
      workspace: text("Workspace", inHeader),
      projectName: text("Project name", inHeader),
      headers,
    },
  },
  "otel-collector": {
    title: "OpenTelemetry collector",
    sends: "Traces over OTLP/HTTP, to any collector",
    config: { endpoint: url("Endpoint"), headers },
  },
  posthog: {
    title: "PostHog",
    sends: "One $ai_generation or $ai_embedding event per call",
    config: { apiKey: secret("Project API key"), endpoint: url("Endpoint", "https://us.i.posthog.com"), headers },
  },
  ramp: {
    title: "Ramp",
    sends: "Usage and cost of each call",
    config: {
      apiKey: secret("API key", inHeader),
      baseUrl: url("Base URL", "https://api.ramp.com/developer/v1/ai-usage/openrouter"),
      headers,
    },
  },
  s3: {
    title: "S3 and compatible",
    sends: "Files of JSON lines, one line per call",
    config: {
      bucketName: text("Bucket", {
        pattern: {
          test: /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/,
          message: "must be a bucket's name: letters, digits, points, hyphens and underscores",
        },
      }),
      accessKeyId: text("Access key id", inHeader),
      secretAccessKey: secret("Secret access key"),
      sessionToken: secret("Session token", { ...inHeader, required: false }),
      region: text("Region", {
        required: false,
        pattern: { test: /^[A-Za-z0-9-]{1,64}$/, message: "must be a region's name, such as eu-central-1" },
      }),
      endpoint: url("Endpoint", undefined, { required: false }),
      prefix: text("Prefix", { required: false, default: "openrouter-traces" }),
      pathTemplate: text("Path template", { required: false, default: "{prefix}/{date}" }),
      headers,
    },
  },
  sentry: {
    title: "Sentry",
    sends: "Traces in one project, by its DSN",
    config: {
      otlpEndpoint: url("OTLP endpoint"),
      dsn: secret("DSN", {
        pattern: {
          test: /^https:\/\/[0-9A-Za-z]+(:[0-9A-Za-z]+)?@[^/\s]+(\/[^/\s]+)*\/\d+$/,
          message: "must be an https DSN with a public key, a host and a numeric project id",
        },
      }),
      headers,
    },
  },
  snowflake: {
    title: "Snowflake",
    sends: "One row per call",
    config: {
      account: text("Account", {
        addressesHost: true,
        pattern: {
          test: /^(?=.{1,255}$)[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)*$/,
          message: "must be letters, digits and underscores, in segments joined by . or -, at most 255 characters",
        },
      }),
      token: secret("Programmatic access token", inHeader),
      database: text("Database", { required: false, default: "SNOWFLAKE_LEARNING_DB" }),
      schema: text("Schema", { required: false, default: "PUBLIC" }),
      table: text("Table", { required: false, default: "OPENROUTER_TRACES" }),
      warehouse: text("Warehouse", { required: false, default: "COMPUTE_WH" }),
      headers,
    },
  },
  weave: {
    title: "Weave",
    sends: "Traces in one project, as protobuf",
    config: {
      apiKey: secret("API key", inHeader),
      entity: text("Entity", inHeader),
      project: text("Project", inHeader),
      baseUrl: url("Base URL", "https://trace.wandb.ai"),
      headers,
    },
  },
  webhook: {
    title: "Webhook",
    sends: "Traces as OTLP/HTTP JSON, to any address",
    config: {
      url: url("URL"),
      method: text("Method", { required: false, form: "choice", choices: ["POST", "PUT"], default: "POST" }),
      headers,
    },
  },
} as const satisfies Record<string, DestinationKind>;

export type DestinationType = keyof typeof destinationKinds;

export const DestinationType = z.enum(Object.keys(destinationKinds) as [DestinationType, ...DestinationType[]]);

/** The members of a kind's `config`, without the table's literal types. */
export function configMembers(type: DestinationType): Readonly<Record<string, ConfigMember>> {
  return destinationKinds[type].config;
}
