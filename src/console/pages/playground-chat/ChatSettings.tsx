import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { formatUsd } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useKeyOptions } from "../../shell/key-options.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Combobox } from "../../ui/Combobox.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Field } from "../../ui/Field.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import type { Chat } from "./chat.ts";
import { efforts, figures, readExtra, readFigure, takes } from "./parameters.ts";
import type { ChatSearch } from "./search.ts";
import type { ChatSetup } from "./use-chat-setup.ts";

interface ChatSettingsProps {
  chat: Chat;
  setup: ChatSetup;
  search: ChatSearch;
  set: (next: Partial<ChatSearch>) => void;
}

/** As whom, with which instructions and parameters the models are asked. */
export function ChatSettings({ chat, setup, search, set }: ChatSettingsProps) {
  const { state, records, workspaceId, key } = setup;
  const extra = readExtra(state.extra);
  const shown = figures.filter(({ name }) => records.some((model) => takes(model, name)));
  return (
    <section
      aria-label="Settings"
      className="grid min-h-0 content-start gap-4 px-(--pane-x) py-4 @min-[800px]/panes:overflow-y-auto"
    >
      <CallAs workspaceId={workspaceId} search={search} set={set} spending={key} />
      <Field label="System" optional>
        {(control) => (
          <TextArea
            {...control}
            rows={4}
            dir="auto"
            value={state.system}
            placeholder="You answer in one sentence."
            onChange={(event) => chat.change({ system: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {shown.map((figure) => (
          <FigureField
            key={`${figure.name} ${search[figure.name] ?? ""}`}
            figure={figure}
            value={search[figure.name]}
            hint={notTaken(setup, figure.name)}
            onChange={(value) => set({ [figure.name]: value })}
          />
        ))}
        {records.some((model) => takes(model, "effort")) && (
          <Field label="Effort" hint={notTaken(setup, "effort")}>
            {(control) => (
              <NativeSelect
                {...control}
                value={search.effort ?? ""}
                onChange={({ target: { value } }) => set({ effort: value === "" ? undefined : value })}
              >
                <option value="">Default</option>
                {efforts.map((effort) => (
                  <option key={effort}>{effort}</option>
                ))}
              </NativeSelect>
            )}
          </Field>
        )}
      </div>
      <Disclosure summary="More members" open={state.extra !== ""}>
        <Field
          label="JSON"
          hint="Tools, response_format, stop and the like, as in a request."
          error={typeof extra === "string" ? extra : null}
        >
          {(control) => (
            <TextArea
              {...control}
              mono
              spellCheck={false}
              value={state.extra}
              placeholder={'{"stop": ["\\n"]}'}
              onChange={(event) => chat.change({ extra: event.target.value })}
            />
          )}
        </Field>
      </Disclosure>
    </section>
  );
}

/** Which of two models is not sent a parameter. */
function notTaken({ records, chosen }: ChatSetup, name: string): string | undefined {
  const without = chosen.filter((_, lane) => !takes(records[lane], name));
  return without.length === 0 ? undefined : `Not sent to ${without.join(", ")}, which does not take it`;
}

interface FigureFieldProps {
  figure: (typeof figures)[number];
  value: number | undefined;
  hint: string | undefined;
  onChange: (value: number | undefined) => void;
}

/** A figure that goes into the address once it is one that can be sent. */
function FigureField({ figure, value, hint, onChange }: FigureFieldProps) {
  const [typed, setTyped] = useState(value === undefined ? "" : String(value));
  const read = readFigure(figure, typed);
  const { least, most, whole, label } = figure;
  const range = most > 10 ? `${whole ? "A whole number, " : ""}${least} or more` : `From ${least} to ${most}`;
  return (
    <Field label={label} hint={hint} error={read === null ? range : null}>
      {(control) => (
        <TextInput
          {...control}
          figures
          inputMode={whole ? "numeric" : "decimal"}
          value={typed}
          placeholder="Default"
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => read !== null && read !== value && onChange(read)}
        />
      )}
    </Field>
  );
}

interface CallAsProps extends Pick<ChatSettingsProps, "search" | "set"> {
  workspaceId: string | undefined;
  spending: ChatSetup["key"];
}

function CallAs({ workspaceId, search, set, spending }: CallAsProps) {
  const { path } = useWorkspace();
  const load = useKeyOptions(workspaceId);
  const isOwn = search.key === undefined;
  const name = spending?.name ?? (isOwn ? "The playground’s key" : `${search.key?.slice(0, 8)}…`);
  return (
    <Field
      label="Call as"
      hint={
        <>
          {isOwn
            ? "The playground’s own key pays. "
            : "Its guardrails and limits apply and it is charged; the audit log says that you called as it. "}
          {spending && spending.limit !== null && spending.limit_remaining !== null && (
            <span className="tabular-nums">{formatUsd(Math.max(0, spending.limit_remaining))} left. </span>
          )}
          {spending && (
            <Link to={paths.key(path, spending.hash)} className={`${linkTextClass} underline`}>
              See the key
            </Link>
          )}
        </>
      }
    >
      {(control) => (
        <Combobox
          {...control}
          label="Call as"
          load={load}
          clearable
          placeholder="The playground’s key"
          value={search.key ?? null}
          selected={isOwn ? undefined : { value: search.key ?? "", label: name }}
          // the gateway's own keys are called as by the gateway alone
          onChange={(hash) => set({ key: hash === null || (isOwn && hash === spending?.hash) ? undefined : hash })}
        />
      )}
    </Field>
  );
}
