import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getGuardrail } from "#contract/guardrails.ts";
import { query } from "../../api/query.ts";
import { versioned } from "../../api/versioned.ts";
import { paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";

function useInput() {
  const { id = "" } = useParams({ strict: false });
  return { params: { id } };
}

/** The guardrail that the address names. */
export function useGuardrail() {
  return useQuery(query(getGuardrail, useInput()));
}

/** The same for a form. */
export function useVersionedGuardrail() {
  const input = useInput();
  const read = versioned(getGuardrail, input);
  return { input, read, found: useQuery(read) };
}

/** Back to the guardrail's page. */
export function useCloseToGuardrail(): () => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  return () => closePanel(paths.guardrail(path, id));
}
