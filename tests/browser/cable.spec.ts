import type * as anyCable from "@anycable/core";
import { expect, type WebSocketRoute } from "playwright/test";
import { signedIn, signedInByForm } from "./players.ts";
import { test } from "./support/journey.ts";
import { lock, startShow } from "./support/two-device-show.ts";
import { hydrated } from "./support/write-blueprint.ts";

const CUT_MS = 2_000;
type AnyCable = typeof anyCable;

test("a disconnected page reconnects by itself and receives what it missed without loading anything again", async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, "ben");
  const sockets: WebSocketRoute[] = [];
  const received: string[] = [];
  let isDown = false;
  await page.routeWebSocket(/\/cable$/, (socket) => {
    if (isDown) return void socket.close();
    const server = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage((frame) => server.send(frame));
    server.onMessage((frame) => {
      received.push(String(frame));
      socket.send(frame);
    });
  });
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) requests.push(request.url());
  });
  const answers = () => received.filter((frame) => frame.includes('"caughtUp"')).length;
  // A session of its own does not end, which would be loaded over HTTP.
  const { slug } = await startShow(browser, baseURL ?? "");
  requests.length = 0;
  await page.goto(`/sessions/${slug}`);
  await expect.poll(answers).toBeGreaterThanOrEqual(2);
  expect(requests).toEqual([]);

  // A page in the background does not ask by HTTP, however long it is cut off on a busy machine.
  await hydrated(page);
  await lock(page, true);
  isDown = true;
  for (const socket of sockets) await socket.close();
  await expect(page.getByText("Reconnecting", { exact: true })).toBeVisible();
  await page.waitForTimeout(CUT_MS);
  const before = answers();
  isDown = false;
  await expect.poll(answers).toBeGreaterThanOrEqual(before + 2);
  await expect(page.getByText("Reconnecting", { exact: true })).toBeHidden();
  expect(received.filter((frame) => frame.includes('"gap"'))).toEqual([]);
  expect(requests).toEqual([]);
});

test("the page connects to the address in its meta tag action-cable-url, and to no other", async ({
  browser,
}) => {
  const page = await signedIn(browser, "ben");
  const connected: string[] = [];
  const commands: string[] = [];
  await page.routeWebSocket(/.*/, (socket) => {
    connected.push(new URL(socket.url()).pathname);
    socket.onMessage((command) => commands.push(String(command)));
    socket.send('{"type":"welcome"}');
  });
  await page.route("/profile", async (route) => {
    const response = await route.fetch();
    const tag = '<meta name="action-cable-url" content="/cable"';
    const html = await response.text();
    expect(html).toContain(tag);
    await route.fulfill({ response, body: html.replace(tag, tag.replace("/cable", "/elsewhere")) });
  });
  await page.goto("/profile");
  const gid = await page.locator('meta[name="user-gid"]').getAttribute("content");
  const identifier = JSON.stringify({ channel: "UserChannel", id: gid });
  await expect.poll(() => commands).toContain(JSON.stringify({ command: "subscribe", identifier }));
  expect(new Set(connected)).toEqual(new Set(["/elsewhere"]));
});

test("the published client of AnyCable connects, subscribes and is rejected in a browser", async ({
  browser,
}) => {
  const page = await signedInByForm(browser, "ben");
  const { outputs } = await Bun.build({
    entrypoints: [Bun.resolveSync("@anycable/core", import.meta.dir)],
    format: "esm",
    target: "browser",
  });
  const code = (await outputs[0]?.text()) ?? "";
  // The page's policy forbids foreign scripts, but not code that the test runs in the page.
  await page.evaluate(code.replace(/export\s*\{([^}]*)\}/, exportsToGlobal));
  const gid = await page.locator('meta[name="user-gid"]').getAttribute("content");
  const states = await page.evaluate(async (id) => {
    const { createCable }: AnyCable = Reflect.get(globalThis, "anyCable");
    const url = `${globalThis.location.origin.replace("http", "ws")}/cable`;
    const cable = createCable(url, { protocol: "actioncable-v1-ext-json" });
    await cable.subscribeTo("UserChannel", { id: id ?? "" }).ensureSubscribed();
    const rejected = await cable
      .subscribeTo("UserChannel", { id: "gid://called-it/User/0" })
      .ensureSubscribed()
      .catch((error: Error) => error.name);
    return { state: cable.state, hasSid: cable.sessionId !== undefined, rejected };
  }, gid);
  expect(states).toEqual({ state: "connected", hasSid: true, rejected: "SubscriptionRejectedError" });
});

/** Replaces `export { a as b }` by a global object with these names. */
function exportsToGlobal(_all: string, names: string): string {
  const pairs = names.split(",").map((name) => {
    const [inside = "", outside = inside] = name.trim().split(/\s+as\s+/);
    return `${outside}: ${inside}`;
  });
  return `globalThis.anyCable = { ${pairs.join(", ")} }`;
}
