import { useQuery } from "@tanstack/react-query";
import { getGuardrail } from "#contract/guardrails.ts";
import { query } from "../../api/query.ts";
import { counted } from "../../format.ts";
import { Notice } from "../../ui/Notice.tsx";

interface Assigned {
  /** what identifies the key or creator */
  value: string;
  name: string;
  /** of the guardrail that it has now */
  id: string;
}

interface ReplacedNoticeProps {
  of: readonly Assigned[];
  /** the id of the guardrail that is about to be assigned */
  by: string;
  noun: "key" | "creator";
}

const firstShown = 5;

/** Which of the chosen have another guardrail already: there is one for each key and creator. */
export function ReplacedNotice({ of: assigned, by, noun }: ReplacedNoticeProps) {
  const replaced = assigned.filter(({ id }) => id !== by);
  if (replaced.length === 0) return null;
  const more = replaced.length - firstShown;
  return (
    <Notice tone="warn" role="status">
      {replaced.length === 1
        ? `This ${noun} has another guardrail, which this one replaces:`
        : `${counted(replaced.length, noun)} have another guardrail, which this one replaces:`}
      <ul className="pt-0.5">
        {replaced.slice(0, firstShown).map(({ value, name, id }) => (
          <li key={value}>
            <bdi className="font-semibold">{name}</bdi>: <GuardrailName id={id} />
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </Notice>
  );
}

function GuardrailName({ id }: { id: string }) {
  const { data } = useQuery(query(getGuardrail, { params: { id } }));
  return <bdi>{data?.data.name ?? `${id.slice(0, 8)}…`}</bdi>;
}
