import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const contractFolder = fileURLToPath(new URL("../src/contract/", import.meta.url));
const documenting: ReadonlySet<string> = new Set(["summary", "description"]);

/** Leaves what the API's documentation says of endpoints out of the console, which shows none of it. */
export function withoutApiDocs(): Plugin {
  return {
    name: "gatehouse:without-api-docs",
    apply: "build",
    transform(code, id) {
      if (!id.startsWith(contractFolder)) return null;
      const cuts: { start: number; end: number }[] = [];
      for (const statement of this.parse(code).body) {
        if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration")
          continue;
        for (const { init } of statement.declaration.declarations) {
          if (init?.type !== "CallExpression" || init.callee.type !== "Identifier") continue;
          const [options] = init.callee.name === "endpoint" ? init.arguments : [];
          if (options?.type !== "ObjectExpression") continue;
          for (const member of options.properties) {
            if (member.type !== "Property" || member.key.type !== "Identifier") continue;
            if (documenting.has(member.key.name)) cuts.push(member.value);
          }
        }
      }
      if (cuts.length === 0) return null;
      let kept = "";
      let from = 0;
      for (const { start, end } of cuts) {
        kept += `${code.slice(from, start)}""`;
        from = end;
      }
      return { code: kept + code.slice(from), map: null };
    },
  };
}
