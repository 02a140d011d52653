import type * as anyCable from "@anycable/core";
import { expect, test, type WebSocketRoute } from "playwright/test";
import { openEvent, signedIn } from "./players.ts";

const CUT_MS = 2_000;
type AnyCable = typeof anyCable;

test("a page whose wire is cut comes back by itself and is told what it missed; it loads nothing again", async ({
  browser,
}) => {
  const page = await signedIn(browser, "ben");
  const wires: WebSocketRoute[] = [];
  const heard: string[] = [];
  let down = false;
  await page.routeWebSocket(/\/cable$/, (wire) => {
    if (down) return void wire.close();
    const server = wire.connectToServer();
    wires.push(wire);
    wire.onMessage((frame) => server.send(frame));
    server.onMessage((frame) => {
      heard.push(String(frame));
      wire.send(frame);
    });
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(request.url());
  });
  const answers = () => heard.filter((frame) => frame.includes('"caughtUp"')).length;
  // With an event open, the session does not end meanwhile: that would be looked up.
  const { slug } = await openEvent(page, { secondsLeft: 10 });
  asked.length = 0;
  await page.goto(`/sessions/${slug}`);
  await expect.poll(answers).toBe(2);
  expect(asked).toEqual([]);

  down = true;
  for (const wire of wires) await wire.close();
  await expect(page.getByText("Reconnecting...")).toBeVisible();
  await page.waitForTimeout(CUT_MS);
  down = false;
  await expect.poll(answers).toBe(4);
  await expect(page.getByText("Reconnecting...")).toBeHidden();
  expect(heard.filter((frame) => frame.includes('"gap"'))).toEqual([]);
  expect(asked).toEqual([]);
});

test("AnyCable's client, as its package has it, connects, subscribes and is rejected in a browser", async ({
  browser,
}) => {
  const page = await signedIn(browser, "ben");
  const { outputs } = await Bun.build({
    entrypoints: [Bun.resolveSync("@anycable/core", import.meta.dir)],
    format: "esm",
    target: "browser",
  });
  const code = (await outputs[0]?.text()) ?? "";
  // The page's own policy lets no foreign script in; what the browser's owner runs is not asked.
  await page.evaluate(code.replace(/export\s*\{([^}]*)\}/, keepExports));
  const gid = await page.locator('meta[name="user-gid"]').getAttribute("content");
  const found = await page.evaluate(async (id) => {
    const { createCable }: AnyCable = Reflect.get(globalThis, "anyCable");
    const url = `ws://${globalThis.location.host}/cable`;
    const cable = createCable(url, { protocol: "actioncable-v1-ext-json" });
    await cable.subscribeTo("UserChannel", { id: id ?? "" }).ensureSubscribed();
    const rejected = await cable
      .subscribeTo("UserChannel", { id: "gid://called-it/User/0" })
      .ensureSubscribed()
      .catch((error: Error) => error.name);
    return { state: cable.state, hasSid: cable.sessionId !== undefined, rejected };
  }, gid);
  expect(found).toEqual({ state: "connected", hasSid: true, rejected: "SubscriptionRejectedError" });
});

/** `export { a as b }` becomes an object that the page can be asked for. */
function keepExports(_all: string, names: string): string {
  const pairs = names.split(",").map((name) => {
    const [inside = "", outside = inside] = name.trim().split(/\s+as\s+/);
    return `${outside}: ${inside}`;
  });
  return `globalThis.anyCable = { ${pairs.join(", ")} }`;
}
