import type { Deps } from "#src/base/deps.ts";
import { FILE_LIMIT, FORM_LIMIT } from "#src/http/body-limit.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { prefetchPageData } from "#src/pages/page-read/prefetch-page-data.ts";
import type { Route } from "#src/people/sign-ins/handle-request.ts";
import { loadAssets } from "./assets.ts";
import { renderPage } from "./render-page.tsx";
import { matchPage } from "./run-page.ts";

/**
 * Begins to read what the record of a page's route says, and returns what answers the request. Call it before the request is
 * authenticated: the sign-in is read in the same statement.
 */
export function beginPage(deps: Deps, context: RequestContext): Route & { answer: () => Promise<Response> } {
  const { screen, params } = matchPage(context.path);
  const { reads = {}, carriesFile = false } = screen ?? {};
  const begun = prefetchPageData(deps, context, { reads, params });
  return {
    answer: async () => renderPage({ deps, context, begun, carriesFile, assets: await loadAssets() }),
    proof: "form",
    bytesMax: carriesFile ? FILE_LIMIT.bytes : FORM_LIMIT.bytes,
  };
}
