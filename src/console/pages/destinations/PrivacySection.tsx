import { Checkbox } from "../../ui/Checkbox.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RadioGroup } from "../../ui/Radio.tsx";
import { RadioCard } from "../../ui/RadioCard.tsx";
import { at, type Editing } from "./editor.ts";
import { readsBodies } from "./rules.ts";
import { sentSettings } from "./settings.ts";

/** What each event contains. Bodies are a choice with its consequences listed, never a bare switch. */
export function PrivacySection({ editing: { draft, change } }: { editing: Editing }) {
  return (
    <>
      <div {...at("privacy_mode")}>
        <RadioGroup
          label="What each event contains"
          value={draft.privacy_mode ? "metadata" : "bodies"}
          onChange={(choice) => change({ privacy_mode: choice === "metadata" })}
          className="grid grid-cols-2 gap-3 max-md:grid-cols-1"
        >
          <RadioCard value="metadata" label="Metadata only">
            <span>Prompts and responses stay in the gateway.</span>
            <span className="text-fg-3">
              time, model, provider, tokens, cost, latency, status, finish reason, session, user, your own trace fields
            </span>
          </RadioCard>
          <RadioCard value="bodies" label="Include prompts and responses">
            <span>Full bodies leave, with everything people typed.</span>
            <span className="text-fg-3">all the metadata, plus input, output, tool calls, system prompt</span>
          </RadioCard>
        </RadioGroup>
      </div>
      {draft.privacy_mode && readsBodies(draft.filter_rules) && (
        <Notice tone="warn">
          A rule reads input or output. It is evaluated in the gateway; the text itself is not forwarded.
        </Notice>
      )}
      <fieldset className="grid">
        <legend className="pb-1 text-12 font-semibold">Also send</legend>
        {sentSettings.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={draft[name]}
            onChange={(event) => change({ [name]: event.target.checked })}
          />
        ))}
      </fieldset>
    </>
  );
}
