import { Elysia } from "elysia";
import { notFound } from "#src/base/refusal.ts";
import { answerAppManifest, answerAsset, answerFavicon, answerRobots, answerWorker } from "./answer-asset.ts";
import { loadAssets } from "./assets.ts";

/** Serves the files of the pages, and leads password managers to where a password is changed (a well-known URI of the W3C). */
export function files() {
  return new Elysia({ name: "files" })
    .get("/assets/:name", async ({ params, request }) => {
      return answerAsset(await loadAssets(), params.name, request) ?? refuse();
    })
    .get(
      "/manifest.webmanifest",
      async ({ request }) => answerAppManifest(await loadAssets(), request) ?? refuse(),
    )
    .get("/service-worker.js", async ({ request }) => answerWorker(await loadAssets(), request) ?? refuse())
    .get("/robots.txt", answerRobots)
    .get("/.well-known/change-password", ({ redirect }) => redirect("/profile/account"))
    .get("/favicon.ico", async ({ request }) => answerFavicon(await loadAssets(), request) ?? refuse());
}

function refuse(): never {
  throw notFound();
}
