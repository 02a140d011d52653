import { Elysia } from "elysia";
import { notModified } from "#src/http/not-modified.ts";
import { nonceOf } from "#src/http/request-context.ts";
import { loadAssets } from "#src/pages/ssr/assets.ts";
import { describeApi } from "./describe-api.ts";
import { referencePage } from "./reference-page.ts";

/** The document only changes with a deployment. Clients notice within five minutes. */
const CACHE_CONTROL = "public, max-age=300";

let document: { text: string; etag: string } | null = null;

/** Serves the API reference as a page and as an OpenAPI document, to all clients. */
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

/** The document is made on the first request. */
function answerDocument(request: Request): Response {
  document ??= withEtag(JSON.stringify(describeApi()));
  const { text, etag } = document;
  const headers = new Headers({
    "content-type": "application/json; charset=utf-8",
    "cache-control": CACHE_CONTROL,
    etag,
  });
  return notModified(request, headers) ?? new Response(text, { headers });
}

function withEtag(text: string) {
  return { text, etag: `"${Bun.hash(text).toString(36)}"` };
}
