import { LinkText } from "../../ui/LinkText.tsx";
import { HeadersField } from "./HeadersField.tsx";
import { MemberField } from "./MemberField.tsx";
import type { Editing } from "./editor.ts";
import { isHeaders } from "./draft.ts";
import { keyHelp } from "./kind-help.ts";
import { formMembers } from "./kinds.ts";
import { TestAnswer } from "./TestAnswer.tsx";
import { TestButton } from "./TestButton.tsx";
import type { ConnectionTest } from "./use-connection-test.ts";
import { useSecretsSet } from "./use-secrets-set.ts";

/** Where it goes: the members of the kind, as its table lists them, and a test of what is filled in. */
export function ConnectionSection({ editing, test }: { editing: Editing; test: ConnectionTest }) {
  const secretSet = useSecretsSet(editing.base);
  const { where, page, pageTitle } = keyHelp(editing.type);
  return (
    <>
      <div className="text-12 text-fg-2">
        <p>{where}</p>
        <p>
          <LinkText href={page} target="_blank">
            {pageTitle}
          </LinkText>
        </p>
      </div>
      {formMembers(editing.type).map(([name, member]) =>
        member.form === "headers" ? (
          <HeadersField key={name} editing={editing} />
        ) : (
          <MemberField
            key={name}
            name={name}
            member={member}
            editing={editing}
            test={test}
            set={member.secret ? secretSet(name) : undefined}
          />
        ),
      )}
      <div>
        {!keepsSecret(editing) && <TestButton test={test} />}
        <TestAnswer test={test.run} />
        {test.changed && (
          <p className="pt-2 text-12 text-fg-3">The connection has changed since the last test. Test it again.</p>
        )}
      </div>
    </>
  );
}

/** A stored secret has its own Test next to Replace. */
function keepsSecret({ draft }: Editing): boolean {
  return Object.values(draft.config).some(
    (value) => typeof value === "object" && !isHeaders(value) && value.state === "kept",
  );
}
