import { Elysia } from "elysia";
import { requestContextOf } from "#src/http/request-context.ts";
import { loadAssets } from "#src/pages/ssr/assets.ts";
import { answerDocument } from "./documents.ts";
import { STYLE_SOURCE } from "./reference-styles.ts";

/** Serves the API reference as a page and as an OpenAPI document, to all clients. */
export function apiRoutes() {
  return new Elysia()
    .get("/api", async ({ request }) => {
      requestContextOf(request).styleSources = STYLE_SOURCE;
      const { manifest: files } = await loadAssets();
      return answerDocument(request, { kind: "page", type: "text/html; charset=utf-8", files });
    })
    .get("/api/openapi.json", async ({ request }) => {
      const { manifest: files } = await loadAssets();
      return answerDocument(request, { kind: "openapi", type: "application/json; charset=utf-8", files });
    });
}
