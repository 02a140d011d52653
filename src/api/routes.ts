import { loadAssets } from "#src/pages/ssr/assets.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { answerDocument } from "./documents.ts";
import { referenceEndpoints } from "./endpoints.ts";
import { STYLE_SOURCE } from "./reference-styles.ts";

/** Serves the API reference as a page and as an OpenAPI document, to all clients. */
export function apiRoutes() {
  return serveEndpoints(referenceEndpoints, {
    showReference: async ({ request, context }) => {
      context.styleSources = STYLE_SOURCE;
      const { manifest: files } = await loadAssets();
      return answerDocument(request, { kind: "page", type: "text/html; charset=utf-8", files });
    },
    showDocument: async ({ request }) => {
      const { manifest: files } = await loadAssets();
      return answerDocument(request, { kind: "openapi", type: "application/json; charset=utf-8", files });
    },
  });
}
