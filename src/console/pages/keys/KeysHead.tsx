import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Button } from "../../ui/Button.tsx";
import { ExportButton, type KeyExport } from "./ExportKeys.tsx";
import type { KeyList } from "./use-key-list.ts";

interface KeysHeadProps {
  list: KeyList;
  exported: KeyExport;
  onFound: () => void;
}

/** The page's head: what can be done with all keys, and the way to another. */
export function KeysHead({ list: { workspace }, exported, onFound }: KeysHeadProps) {
  return (
    <PageHeader
      title="API keys"
      actions={
        <>
          <Button variant="quiet" className="max-md:hidden" onClick={onFound}>
            Found a key?
          </Button>
          <ExportButton of={exported} />
          <ButtonLink id="create-key" to={paths.newKey(workspace.path)} search variant="primary" shortcut="C">
            Create key
          </ButtonLink>
        </>
      }
    />
  );
}
