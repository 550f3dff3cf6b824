import { Controller, type UseFormReturn } from "react-hook-form";
import type { KeyRecord } from "#contract/keys.ts";
import { FieldGroup } from "../../ui/Field.tsx";
import { Radio, RadioGroup } from "../../ui/Radio.tsx";
import { utcMinute } from "./utc-minute.ts";

const graces = [
  { seconds: 0, label: "End it at once" },
  { seconds: 3_600, label: "1 hour" },
  { seconds: 86_400, label: "24 hours" },
  { seconds: 7 * 86_400, label: "7 days" },
  { seconds: 30 * 86_400, label: "30 days" },
] as const;

export interface GraceValues {
  grace: string;
}

/** What the forms that replace a key have in common. */
export const graceForm = (hash: string) => ({
  values: { grace: "86400" },
  labels: { grace: "How long the old key still works" },
  fieldOf: { grace_seconds: "grace" },
  input: ({ grace }: GraceValues) => ({ params: { hash }, body: { grace_seconds: Number(grace) } }),
});

/** How long a key that is replaced still works. */
export function GraceField({ form }: { form: UseFormReturn<GraceValues> }) {
  return (
    <Controller
      control={form.control}
      name="grace"
      render={({ field, fieldState }) => (
        <FieldGroup
          label="How long the old key still works"
          hint="Time to put the new key where the old one is used. An earlier expiry still applies."
          error={fieldState.error?.message}
        >
          <RadioGroup
            label="How long the old key still works"
            value={field.value}
            onChange={field.onChange}
            className="grid"
          >
            {graces.map(({ seconds, label }) => (
              <Radio key={seconds} value={String(seconds)} label={label} />
            ))}
          </RadioGroup>
        </FieldGroup>
      )}
    />
  );
}

/** Until when the key that was replaced works. */
export function OldKey({
  replaced: { status, expires_at: end },
}: {
  replaced: Pick<KeyRecord, "status" | "expires_at">;
}) {
  if (status === "expired" || end === null) return <p>The old key has ended.</p>;
  return <p>The old key works until {utcMinute(new Date(end))}.</p>;
}
