import { presets } from "#contract/provider-presets.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { formatCount, formatLatency, formatPercent } from "../../format.ts";
import { callsSeen, lastCallWords } from "../../shell/provider-status.ts";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import { LinkText } from "../../ui/LinkText.tsx";
import { Time } from "../../ui/Time.tsx";
import { useAddedBy } from "./added-by.ts";
import { dataPolicy } from "./labels.ts";

/** The provider's settings, with the observations next to them. */
export function ProviderFacts({ provider, fresh }: { provider: ProviderRecord; fresh: boolean }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-8 max-lg:grid-cols-1">
      <Settings provider={provider} />
      {fresh && <Seen health={provider.health} />}
    </div>
  );
}

function Settings({ provider }: { provider: ProviderRecord }) {
  const now = useNow(minuteMs);
  const added = useAddedBy()(provider.slug);
  const { keyVariable } = presets[provider.preset];
  const links = [
    ["Privacy", provider.privacy_policy_url],
    ["Terms", provider.terms_of_service_url],
    ["Status", provider.status_page_url],
  ] as const;
  const by = added?.environment
    ? `, from the environment at the first start${keyVariable === null ? "" : ` (${keyVariable})`}`
    : added && `, by ${added.actor}`;
  const builtin = provider.kind === "builtin";
  const facts: Fact[] = [
    { term: "Slug", value: <span className="mono">{provider.slug}</span> },
    ...(builtin
      ? [{ term: "Address", value: "None: it computes its answers in the gateway itself" }]
      : [
          { term: "Address", value: <span className="mono">{provider.base_url}</span> },
          {
            term: "Key",
            value: provider.api_key ? <span className="mono">{provider.api_key.replace("...", "…")}</span> : "None",
          },
        ]),
    { term: "Data policy", value: dataPolicy(provider) },
    ...(links.some(([, url]) => url !== null)
      ? [
          {
            term: "Pages",
            value: links.map(
              ([word, url]) =>
                url !== null && (
                  <LinkText key={word} href={url} target="_blank" className="mr-3">
                    {word}
                  </LinkText>
                ),
            ),
          },
        ]
      : []),
    {
      term: "Added",
      value: (
        <>
          <Time iso={provider.created_at} now={now} focusable />
          {by}
        </>
      ),
    },
  ];
  return <Facts facts={facts} />;
}

/** What is known, each figure with its window. */
function Seen({ health }: Pick<ProviderRecord, "health">) {
  const now = useNow(15_000);
  const seen = callsSeen(health);
  const rate = (value: number | null) => (value === null ? "–" : formatPercent(value));
  const latency = (value: number | null) => (value === null ? "–" : formatLatency(value));
  const facts: Fact[] = [
    {
      term: "Calls",
      value: seen === null ? "None in the last 24 hours" : `${formatCount(seen.calls)} ${seen.window.words}`,
    },
    { term: "Last call", value: lastCallWords(health, now) },
    { term: "Errors", value: seen === null ? "–" : `${formatPercent(seen.errorRate)} ${seen.window.words}` },
    { term: "Overloaded (429, 529), 30 min", value: rate(health.overload_rate_last_30m) },
    { term: "First byte, p50, 30 min", value: latency(health.latency_p50_ms) },
    { term: "First byte, p95, 30 min", value: latency(health.latency_p95_ms) },
    {
      term: "Last failure",
      value: health.last_failure ? (
        <>
          <Time iso={health.last_failure.at} now={now} focusable />: “{health.last_failure.message}”
        </>
      ) : (
        "None since the gateway started"
      ),
    },
  ];
  return <Facts facts={facts} />;
}
