import { capital } from "../../format.ts";
import { BasicsSection } from "./BasicsSection.tsx";
import type { ConnectionTest } from "./use-connection-test.ts";
import { ConnectionSection } from "./ConnectionSection.tsx";
import { KeysSection } from "./KeysSection.tsx";
import { PrivacySection } from "./PrivacySection.tsx";
import { RulesSection } from "./RulesSection.tsx";
import { SamplingSection } from "./SamplingSection.tsx";
import { Section } from "./Section.tsx";
import type { SectionId } from "./sections.ts";
import type { Editor } from "./use-editor.ts";
import type { Forecast } from "./use-forecast.ts";

interface EditorSectionsProps {
  editor: Editor;
  forecast: Forecast;
  test: ConnectionTest;
  /** the sections with unsaved changes */
  edited: ReadonlySet<SectionId>;
  workspaceId: string | undefined;
  /** of a new destination, where it was chosen in the form */
  chosenWorkspace: string | undefined;
  onWorkspace: (id: string) => void;
  /** where the session of a call falls that was traced to here */
  traced: number | undefined;
}

/** The fields of a destination, in the order of the pipeline. */
export function EditorSections(props: EditorSectionsProps) {
  const { editor, forecast, test, edited, workspaceId, chosenWorkspace, onWorkspace, traced } = props;
  const { estimate, refusals, countsFailed, preview, missing } = forecast;
  const stages = missing === null ? estimate.data?.data : undefined;
  return (
    <div className="min-w-0">
      <Section id="basics" edited={edited.has("basics")}>
        <BasicsSection editing={editor} workspaceId={chosenWorkspace} onWorkspace={onWorkspace} />
      </Section>
      <Section id="connection" edited={edited.has("connection")}>
        <ConnectionSection editing={editor} test={test} />
      </Section>
      <Section id="privacy" edited={edited.has("privacy")}>
        <PrivacySection editing={editor} />
      </Section>
      <Section id="keys" edited={edited.has("keys")}>
        <KeysSection
          editing={editor}
          workspaceId={workspaceId}
          share={stages && stages.calls > 0 ? stages.in_allowlist / stages.calls : null}
        />
      </Section>
      <Section id="rules" edited={edited.has("rules")}>
        <RulesSection
          editing={editor}
          workspaceId={workspaceId}
          refused={(path) => capital(refusals.find((issue) => issue.path === path)?.message ?? "") || undefined}
        />
      </Section>
      <Section id="sampling" edited={edited.has("sampling")}>
        <SamplingSection
          editing={editor}
          workspaceId={workspaceId}
          traced={traced}
          traffic={{
            passing: stages?.passing_per_day,
            perSession: stages?.calls_per_session ?? null,
            size: preview.data?.data.size ?? null,
            failed: countsFailed,
          }}
        />
      </Section>
    </div>
  );
}
