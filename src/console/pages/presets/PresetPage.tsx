import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useChildMatches, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { presetMark, type PresetWithVersion } from "#contract/presets.ts";
import { useReachable } from "../../api/connectivity.ts";
import { isNotFound } from "../../api/errors.ts";
import { everyProvider } from "../../api/providers.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { useLeaveDeleted } from "../../shell/leave-deleted.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { callSnippets, gatewayBaseUrl, snippetTokens } from "../../shell/snippets.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { CodeTabs } from "../../ui/CodeTabs.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Status } from "../../ui/Status.tsx";
import { PresetVersions } from "./PresetVersions.tsx";
import { presetStatus } from "./status.ts";
import { usePreset, usePresetInput, type PresetInput } from "./use-preset.ts";

/** One preset: what it sets, how it is called, and its versions. */
export function PresetPage() {
  const { path } = useWorkspace();
  const { slug = "" } = useParams({ strict: false });
  const input = usePresetInput();
  const found = usePreset();
  const preset = found.data?.data;
  const gone = isNotFound(found.error);
  // a form in a panel over it keeps what was typed
  const alone = useChildMatches().length === 0;
  useLeaveDeleted(gone && preset !== undefined && alone, preset?.name, paths.presets(path));
  if (path === allWorkspaces || (gone && preset === undefined)) return <NoSuchPreset />;
  return (
    <>
      <PageHeader
        title={preset?.name ?? "Preset"}
        sub={
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="mono wrap-anywhere">{presetMark + slug}</span>
            <CopyButton text={presetMark + slug} label="Copy the preset's name for calls" />
            <Link to={paths.presets(path)} className={linkTextClass}>
              All presets
            </Link>
          </span>
        }
        actions={preset && !gone && <Actions preset={preset} />}
      />
      <QueryBoundary key={preset && "known"} query={found} what="the preset" skeleton={<PageSkeleton />}>
        {({ data }) => input && <Sections preset={data} input={input} />}
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function NoSuchPreset() {
  const { path, name } = useWorkspace();
  const { slug } = useParams({ strict: false });
  return (
    <>
      <PageHeader title={path === allWorkspaces ? "A preset belongs to one workspace" : "It no longer exists"} />
      <p className="px-8 pt-3 text-fg-2 max-md:px-4">
        {path === allWorkspaces ? (
          "Choose its workspace, or find it in the list of all of them."
        ) : (
          <>
            No preset of {name} has the slug <span className="mono">{slug}</span>. It was deleted, or the address is
            wrong.
          </>
        )}{" "}
        <Link to={paths.presets(path)} className={`${linkTextClass} underline`}>
          Show all presets
        </Link>
      </p>
    </>
  );
}

export const editId = "edit-preset";
export const settingsId = "preset-settings";

function Actions({ preset }: { preset: PresetWithVersion }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reachable, reason } = useReachable();
  const edit = paths.editPreset(path, preset.slug);
  const archived = preset.status === "archived";
  const kept = archived ? "It is archived: make it active in its settings first." : reason;
  useShortcut("e", "Edit the preset", () => void navigate({ to: edit }), reachable && !archived);
  return (
    <>
      <ButtonLink id={settingsId} to={paths.presetSettings(path, preset.slug)}>
        Settings
      </ButtonLink>
      {kept === undefined ? (
        <Link id={editId} to={edit} className={buttonClass({ variant: "primary" })}>
          Edit
        </Link>
      ) : (
        <Button variant="primary" disabledReason={kept}>
          Edit
        </Button>
      )}
    </>
  );
}

const section = "border-t border-line px-8 py-5 max-md:px-4";

function Sections({ preset, input }: { preset: PresetWithVersion; input: PresetInput }) {
  const { path } = useWorkspace();
  const models = useQuery(everyProvider).data?.data.flatMap((one) => one.models);
  const type = models?.find(({ id }) => id === preset.model)?.type ?? "chat";
  const snippets = useMemo(
    () => snippetTokens(callSnippets(gatewayBaseUrl(), { id: presetMark + preset.slug, type })),
    [preset.slug, type],
  );
  const version = preset.designated_version;
  return (
    <>
      <div className="grid grid-cols-1 gap-4 px-8 pt-3 pb-5 max-md:px-4">
        <Status {...presetStatus[preset.status]} />
        {preset.status !== "active" && (
          <p className="max-w-160 text-fg-2">Calls that name it are refused with 404 until it is active again.</p>
        )}
        {preset.description !== null && (
          <p dir="auto" className="max-w-160 wrap-anywhere text-fg-2">
            {preset.description}
          </p>
        )}
        <Facts
          facts={[
            {
              term: "Model",
              value:
                preset.model === null ? (
                  "named by the call"
                ) : (
                  <Link to={paths.model(path, preset.model)} className={linkTextClass}>
                    {preset.model}
                  </Link>
                ),
            },
            { term: "Version in use", value: preset.designated_version_number },
            { term: "Changed", value: <TimeCell iso={preset.updated_at} show="exact" /> },
            { term: "Created by", value: <bdi>{preset.creator_user_id ?? "unknown"}</bdi> },
            {
              term: "Calls",
              value: (
                <Link to={paths.calls(path)} search={{ preset: preset.slug }} className={linkTextClass}>
                  Show the calls that used it
                </Link>
              ),
            },
          ]}
        />
        {version?.system_prompt != null && (
          <div className="max-w-180 min-w-0">
            <h2 id="preset-prompt" className="pb-1 text-13">
              System prompt
            </h2>
            <p
              dir="auto"
              role="region"
              aria-labelledby="preset-prompt"
              tabIndex={0}
              className="max-h-60 overflow-y-auto border-l-2 border-line-2 bg-bg-2 px-3.5 py-2.5 whitespace-pre-wrap wrap-anywhere"
            >
              {version.system_prompt}
            </p>
          </div>
        )}
        {version !== null && Object.keys(version.config).length > 0 && (
          <div className="max-w-180 min-w-0">
            <h2 id="preset-config" className="pb-1 text-13">
              Settings
            </h2>
            <pre
              role="region"
              aria-labelledby="preset-config"
              tabIndex={0}
              translate="no"
              className="max-h-80 overflow-auto border-l-2 border-line-2 bg-bg-2 px-3.5 py-2.5 font-mono text-[12px] leading-[19px] whitespace-pre-wrap wrap-anywhere"
            >
              {JSON.stringify(version.config, null, 2)}
            </pre>
          </div>
        )}
      </div>
      <section aria-labelledby="preset-call" className={section}>
        <h2 id="preset-call" className="pb-2 text-15">
          Call it
        </h2>
        <div className="max-w-180">
          <CodeTabs label={`A call with ${preset.name}`} snippets={snippets} />
        </div>
      </section>
      <PresetVersions preset={preset} input={input} />
      <section aria-labelledby="preset-delete" className={section}>
        <h2 id="preset-delete" className="pb-1 text-15">
          Delete this preset
        </h2>
        <p className="max-w-160 pb-3 text-fg-2">
          Its versions are deleted too, and calls that name it are refused. To stop calls for a while, disable it in its
          settings instead.
        </p>
        <ButtonLink to={paths.deletePreset(path, preset.slug)} variant="danger">
          Delete preset
        </ButtonLink>
      </section>
    </>
  );
}

function PageSkeleton() {
  return (
    <div className="grid gap-4 px-8 pt-4 max-md:px-4">
      <Skeleton width={96} height={16} />
      {[280, 340, 240].map((width) => (
        <Skeleton key={width} width={width} height={12} />
      ))}
    </div>
  );
}
