import { useMemo, useState } from "react";
import { useStore } from "../../api/store.ts";
import { counted, formatCount } from "../../format.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import type { Clusters } from "../../vectors/protocol.ts";
import { GroupShape } from "./GroupShape.tsx";
import { groupFacts, type GroupFacts } from "./group-facts.ts";
import { change, type Shown } from "./playground.ts";
import type { ViewProps } from "./view-props.ts";
import { RowFace } from "./RowFace.tsx";

const fewRows = 12;
const aboutTypical = "A group without distinctive words is shown by its most typical row.";
const aboutSilhouette =
  "The silhouette says how much nearer rows are to their own group than to the next one: 1 is far apart, 0 is no different.";

/** The groups that the map names: their words, their sizes, and how they fit the labels that rows were given. */
export function GroupList({ playground: { store }, run, clusters }: ViewProps & { clusters: Clusters }) {
  const { selected } = useStore(store);
  const groups = useMemo(() => groupFacts(clusters, run.shown), [clusters, run.shown]);
  const inGroups = groups.reduce((sum, { main }) => sum + (main?.labeled ?? 0), 0);
  const pure = groups.reduce((sum, { main }) => sum + (main?.count ?? 0), 0);
  const row = (at: number) => ({
    number: run.shown[at]?.number ?? 0,
    label: run.shown[at]?.group ?? "",
    chosen: at === selected,
    choose: () => change(store, { selected: at }),
  });
  return (
    <section aria-label="Groups" className="text-12">
      <h2 className="border-b border-line-2 pb-1 text-12 font-normal text-fg-3">
        {counted(groups.length, "group")}
        {inGroups > 0 &&
          `: ${formatCount(pure)} of ${counted(inGroups, "labeled row")} have the label that most of their group have`}
      </h2>
      <ol>
        {groups.map((group, place) => (
          <li key={place} className="flex items-start gap-2 border-b border-line py-1.5">
            <span className="pt-1">
              <GroupShape place={place} />
            </span>
            <div className="min-w-0 grow">
              <GroupName words={group.words} typical={run.shown[group.typical]} />
              {group.main && <Labels main={group.main} elsewhere={group.elsewhere.map(row)} />}
            </div>
            <span className="text-fg-3 tabular-nums">{formatCount(group.size)}</span>
          </li>
        ))}
      </ol>
      <p className="pt-1.5 text-fg-3">
        {groups.some(({ words }) => words.length === 0) && aboutTypical} {aboutSilhouette}
      </p>
    </section>
  );
}

/** A group's distinctive words, or where it has none the row that is most typical of it. */
function GroupName({ words, typical }: { words: readonly string[]; typical: Shown | undefined }) {
  if (words.length > 0)
    return (
      <p dir="auto" className="wrap-anywhere">
        {words.join(", ")}
      </p>
    );
  if (typical?.image === undefined)
    return (
      <p dir="auto" className="line-clamp-2 wrap-anywhere text-fg-2">
        “{typical?.text.slice(0, 160)}”
      </p>
    );
  return (
    <p className="flex items-center gap-2">
      <RowFace shown={typical} most={80} side="size-6" className="min-w-0 truncate" />
    </p>
  );
}

interface LabelsProps {
  main: NonNullable<GroupFacts["main"]>;
  elsewhere: readonly { number: number; label: string; chosen: boolean; choose: () => void }[];
}

function Labels({ main: { label, count, labeled }, elsewhere }: LabelsProps) {
  const [all, setAll] = useState(false);
  const listed = all ? elsewhere : elsewhere.slice(0, fewRows);
  return (
    <div className="text-fg-2">
      <p>
        {count === labeled ? `All ${formatCount(labeled)}` : `${formatCount(count)} of ${formatCount(labeled)}`} are
        labeled <bdi>{label}</bdi>
        {elsewhere.length > 0 && ". The others:"}
      </p>
      {elsewhere.length > 0 && (
        <p className="flex flex-wrap gap-x-2.5">
          {listed.map(({ number, label: other, chosen, choose }) => (
            <LinkButton
              key={number}
              aria-pressed={chosen}
              aria-label={`Row ${number}, labeled ${other}`}
              onClick={choose}
            >
              {number}
            </LinkButton>
          ))}
          {elsewhere.length > listed.length && (
            <LinkButton onClick={() => setAll(true)}>{formatCount(elsewhere.length - listed.length)} more</LinkButton>
          )}
        </p>
      )}
    </div>
  );
}
