import { Elysia } from "elysia";
import { nonceOf } from "#src/http/request-context.ts";
import { loadAssets } from "#src/ssr/assets.ts";
import { describeApi } from "./describe-api.ts";
import { referencePage } from "./reference-page.ts";

/** The document changes with the program alone, and is asked for again within minutes of that. */
const KEPT = "public, max-age=300";

let document: { text: string; etag: string } | null = null;

/** The API's own reference, as a page and as a document: the same for everybody. */
export function apiRoutes() {
  return new Elysia()
    .get("/api", async ({ request }) => answerPage((await loadAssets()).manifest, nonceOf(request)))
    .get("/api/openapi.json", ({ request }) => answerDocument(request));
}

function answerPage(files: Parameters<typeof referencePage>[0], nonce: string): Response {
  return new Response(referencePage(files, nonce), {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

/** Made once, when somebody asks first. */
function answerDocument({ headers }: Request): Response {
  document ??= tagged(JSON.stringify(describeApi()));
  const { text, etag } = document;
  const kept = { etag, "cache-control": KEPT };
  if (headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: kept });
  return new Response(text, { headers: { ...kept, "content-type": "application/json; charset=utf-8" } });
}

function tagged(text: string) {
  return { text, etag: `"${Bun.hash(text).toString(36)}"` };
}
