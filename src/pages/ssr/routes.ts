import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { isPageRequest } from "#src/http/page-request.ts";
import { answerAppManifest, answerAsset, answerFavicon, answerRobots, answerWorker } from "./answer-asset.ts";
import { loadAssets } from "./assets.ts";
import { renderPage } from "./render-page.tsx";

/**
 * Serves the pages and their files. Page requests bypass all other routes: some paths, like /users/sign_in, are a page to a
 * browser and an endpoint to a program.
 */
export function pages(deps: Deps) {
  return new Elysia({ name: "pages" })
    .get("/assets/:name", async ({ params, request }) => {
      return answerAsset(await loadAssets(), params.name, request) ?? refuse();
    })
    .get(
      "/manifest.webmanifest",
      async ({ request }) => answerAppManifest(await loadAssets(), request) ?? refuse(),
    )
    .get("/service-worker.js", async ({ request }) => answerWorker(await loadAssets(), request) ?? refuse())
    .get("/robots.txt", answerRobots)
    .get("/favicon.ico", async ({ request }) => answerFavicon(await loadAssets(), request) ?? refuse())
    .wrap((answer) => async (request: Request) => {
      if (!isPageRequest(request)) return answer(request);
      return renderPage({ deps, request, assets: await loadAssets() });
    });
}

function refuse(): never {
  throw notFound();
}
