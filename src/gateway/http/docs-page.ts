import { api, apiVersion, basePath } from "#contract/api.ts";
import type { Credential, Endpoint } from "#contract/endpoint.ts";
import { curlExample } from "./docs-example.ts";
import { memberRows, type MemberRow } from "./docs-schema.ts";

type Json = Record<string, unknown>;
type BodyType = "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";
interface Operation {
  requestBody?: { content: { [type in BodyType]?: { schema: Json } } };
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  responses: Record<string, { $ref?: string; content?: { "application/json"?: { schema: Json } } }>;
}

const who: Record<Credential, string> = {
  management: "Needs a management key.",
  ordinary: "Needs an API key; a management key cannot call models.",
  any: "Needs an API key or a management key.",
  session: "Needs a console session.",
  none: "Needs no key.",
};

/** The API reference: plain HTML rendered on the server from the OpenAPI document. */
export function docsPage(document: Json, server: string): string {
  const endpoints = Object.values<Endpoint>(api);
  const tags = Map.groupBy(endpoints, (endpoint) => endpoint.tag);
  const base = escape(`${server}${basePath}`);
  return framedPage({
    title: "API reference",
    up: "",
    skip: "Skip to the operations",
    id: "operations",
    label: "Operations",
    navigation: `<ul><li><a href="docs/guides">Guides</a></li></ul>
<label for="find">Find an operation</label>
<input id="find" type="search" autocomplete="off" spellcheck="false">
<small id="found" role="status"></small>
${[...tags].map(([tag, members]) => navigation(tag, members)).join("")}`,
    main: `<h1>API reference</h1>
<p>Version ${escape(apiVersion)}. Paths are relative to <code>${base}</code>. The same description for machines: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Requests carry <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Bodies are JSON. An error answers with <code>{"error": {"code", "message", "metadata"}}</code>, where <code>code</code> is the HTTP status and <code>metadata.issues</code> names every wrong member; every answer has an <code>X-Request-Id</code>.</p>
${[...tags].map(([tag, members]) => section(tag, members, document, `${server}${basePath}`)).join("")}
`,
  });
}

interface FramedPage {
  title: string;
  /** from the page to the folder of the reference page, such as `../` */
  up: string;
  /** what the first link says, which leads over the navigation */
  skip: string;
  /** of the page's main part */
  id: string;
  /** of the navigation */
  label: string;
  /** as HTML */
  navigation: string;
  main: string;
}

/** A page of the documentation: the navigation next to the text. Nothing is loaded from elsewhere. */
export function framedPage({ title, up, skip, id, label, navigation: links, main }: FramedPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Gatehouse</title>
<link rel="stylesheet" href="${up}docs.css">
<link rel="icon" type="image/svg+xml" href="${up}../../favicon.svg">
<script src="${up}docs.js" defer></script>
</head>
<body>
<a class="skip" href="#${id}">${skip}</a>
<div class="frame">
<nav aria-label="${label}">
<a class="home" href="${up}../../">Gatehouse</a>
${links}
</nav>
<main id="${id}" class="${id}">
${main}</main>
</div>
</body>
</html>
`;
}

function navigation(tag: string, endpoints: Endpoint[]): string {
  const links = endpoints.map(
    (endpoint) => `<li><a href="#${endpoint.operationId}">${escape(endpoint.summary)}</a></li>`,
  );
  return `<h2 data-tag="${escape(tag)}">${escape(tag)}</h2><ul>${links.join("")}</ul>\n`;
}

function section(tag: string, endpoints: Endpoint[], document: Json, base: string): string {
  const articles = endpoints.map((endpoint) => article(endpoint, document, base));
  return `<h2 data-tag="${escape(tag)}">${escape(tag)}</h2>\n${articles.join("")}`;
}

function article(endpoint: Endpoint, document: Json, base: string): string {
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const { schemas } = document["components"] as { schemas: Json };
  const parameters = (operation?.parameters ?? []).flatMap((parameter) =>
    memberRows({ properties: { [parameter.name]: parameter.schema } }, schemas)
      .slice(0, 1)
      .map((row) => ({
        ...row,
        required: parameter.required,
        rules: [`in the ${parameter.in}`, row.rules].filter(Boolean).join("; "),
      })),
  );
  const {
    "application/json": json,
    "application/x-www-form-urlencoded": parametersOfBody,
    "multipart/form-data": form,
  } = operation?.requestBody?.content ?? {};
  const body = json ?? parametersOfBody;
  const asked = (body ?? form)?.schema;
  const answer = operation?.responses[String(endpoint.status)]?.content?.["application/json"]?.schema;
  return `<article id="${endpoint.operationId}" data-of="${escape(endpoint.tag)}">
<h3><a href="#${endpoint.operationId}">${escape(endpoint.summary)}</a></h3>
<p class="route"><code><b>${endpoint.method}</b> ${escape(endpoint.path)}</code></p>
<p class="who">${who[endpoint.auth]}</p>
${endpoint.description === "" ? "" : `<p>${prose(endpoint.description)}</p>`}
<pre tabindex="0"><code>${escape(curlExample(endpoint, base, body?.schema, schemas))}</code></pre>
${members("Parameters", parameters)}
${asked === undefined ? "" : members(json === undefined ? "Request form" : "Request body", memberRows(asked, schemas))}
${endpoint.binary.length === 0 ? "" : `<h4>Answer ${endpoint.status}</h4>\n<p class="none">${endpoint.binary.join(", ")}</p>`}
${answer === undefined ? "" : members(`Answer ${endpoint.status}`, memberRows(answer, schemas), false)}
<h4>Errors</h4>
<p class="none">${endpoint.errors.join(", ")}</p>
</article>
`;
}

function members(title: string, rows: MemberRow[], markRequired = true): string {
  if (rows.length === 0) return "";
  const lines = rows.map((row) => {
    const note = markRequired && row.required ? "<small>required</small>" : "";
    const rules = row.rules === "" ? "" : `<small>${prose(row.rules)}</small>`;
    return `<tr><td><code>${escape(row.name)}</code>${note}</td><td>${escape(row.type)}${rules}</td></tr>`;
  });
  return `<h4>${title}</h4><table><thead><tr><th scope="col">Name</th><th scope="col">Type and rules</th></tr></thead><tbody>${lines.join("")}</tbody></table>`;
}

function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
