import { expect, spyOn, test } from "bun:test";
import type { ReactNode } from "react";
import { CSRF_HEADER, CSRF_PARAM } from "#src/http/contract.ts";
import { createServer } from "#src/server.ts";
import * as apps from "#src/ssr/page-app.tsx";
import * as app from "#src/ssr/render-app.ts";
import { renderString } from "#src/ssr/render-string/render-string.ts";
import { buildWorld, type CallerName, callers, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { signedOutClient, signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { expectReactsBytes, renderByReact } from "./compare.ts";

const ORIGIN = "http://localhost:3000";

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);

/** What came of comparing each page, in the order of the visits. */
const compared: unknown[] = [];

/** The page that is made now, by the router's own provider. */
let byRouter: ReactNode = null;
const { pageApp } = apps;
const appSpy = spyOn(apps, "pageApp").mockImplementation((...page) => {
  byRouter = apps.routerApp(...page);
  return pageApp(...page);
});

/** Compares each page when its late parts are there, too. */
const spy = spyOn(app, "renderApp").mockImplementation(async (node) => {
  await waitFor("the late parts", () => renderString(node).leftToReact !== "data that is still to come");
  const html = renderByReact(node);
  const provided = renderByReact(byRouter);
  compared.push(
    await expectReactsBytes(node).then(
      () => (provided === html ? "the same" : "another than by the router's provider"),
      (error: unknown) => error,
    ),
  );
  return { html, rest: null };
});
afterFile(() => {
  spy.mockRestore();
  appSpy.mockRestore();
});

async function visit(name: CallerName, key: string): Promise<number> {
  const credentials =
    name === "out"
      ? (await signedOutClient(server)).credentials()
      : await signInDirectly(deps, world.users[name]);
  const headers = { accept: "text/html", origin: ORIGIN, cookie: credentials["cookie"] ?? "" };
  const [method = "GET"] = key.split(" ");
  const body = new URLSearchParams({ [CSRF_PARAM]: credentials[CSRF_HEADER] ?? "" });
  const request = new Request(ORIGIN + pathIn(world, key, null), {
    method,
    headers,
    ...(method === "POST" ? { body } : {}),
  });
  const { status } = await server.handle(request);
  return status;
}

/** POST pages are compared too: they show what was refused. */
const pages = Object.keys(pageAccess).filter(
  (key) => !key.includes("sign_out") && key !== "POST /profile/account",
);

test.each(pages)("%s is what React renders, for everybody who may open it", async (key) => {
  const expected = pageAccess[key]?.split(" ") ?? [];
  const shown = expected.filter((outcome) => /^[24]\d\d$/.test(outcome));
  compared.length = 0;
  for (const name of callers) await visit(name, key);
  expect(compared).toEqual(shown.map(() => "the same"));
});
