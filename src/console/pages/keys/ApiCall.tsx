import { apiPath } from "../../api/base.ts";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { Disclosure } from "../../ui/Disclosure.tsx";

interface ApiCallProps {
  method: "POST" | "PATCH";
  path: string;
  body: object;
}

/** The call that the form would make, as it would be sent. */
export function ApiCall({ method, path, body }: ApiCallProps) {
  const source = `${method} ${apiPath(path)} ${JSON.stringify(body, null, 2)}`;
  return (
    <Disclosure summary="As an API call">
      <CodeBlock label="The API call" size="sm" copy tokens={highlight(source, "json")} />
      <p className="pt-1.5 text-12 text-fg-3">
        {method === "PATCH"
          ? "Only what changed is sent: null clears a field; a field that is absent keeps its value."
          : "null means none: no limit, no reset, no expiry."}
      </p>
    </Disclosure>
  );
}
