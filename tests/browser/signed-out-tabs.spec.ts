import { expect, type Page } from "playwright/test";
import { activeSlug, signedIn } from "./players.ts";
import { PROOF, test } from "./support/journey.ts";

const A_MINUTE_MS = 60_000;

/** What the sign-in page asks for: what is live now, and the time. */
const ofTheDoor: ReadonlySet<string> = new Set(["/api/v1/front_door", "/up"]);

/** Counts what a tab asks from now on. The code of its later parts is no question. */
function watch(page: Page) {
  const seen = { documents: [] as string[], requests: [] as string[], sockets: 0 };
  page.on("websocket", () => void (seen.sockets += 1));
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (!path.startsWith("/assets/") && !ofTheDoor.has(path)) seen.requests.push(path);
    if (request.isNavigationRequest()) seen.documents.push(path);
  });
  return seen;
}

/** Everything that makes a page look for its server: a minute of time, its tab and its network. */
async function provoke(page: Page): Promise<void> {
  await page.clock.runFor(A_MINUTE_MS);
  await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await page.clock.runFor(A_MINUTE_MS);
}

test(
  "a sign-out in one tab leads all others to the sign-in page, once, and then they are silent",
  { tag: PROOF },
  async ({ browser }) => {
    const page = await signedIn(browser, "ben");
    const context = page.context();
    await context.clock.install();
    const slug = await activeSlug(page);
    const paths = [`/sessions/${slug}`, "/profile/wallet"];
    const others = await Promise.all(
      paths.map(async (path) => {
        const tab = await context.newPage();
        const opened = tab.waitForEvent("websocket");
        await tab.goto(path);
        await opened;
        await expect(tab.locator("#root[data-hydrated]")).toBeAttached();
        return { path, tab, seen: watch(tab) };
      }),
    );

    await page.goto("/profile");
    // The answer comes after the cable has disconnected all tabs.
    await page.route("**/users/sign_out", async (route) => {
      const response = await route.fetch();
      for (const { tab } of others) await expect(tab).toHaveURL(/sign_in/);
      await route.fulfill({ response });
    });
    const lastQuestion = page.waitForResponse("**/users/sign_in/passkey/options");
    await page.locator("#main").getByRole("button", { name: "Logout" }).click();
    await expect(page).toHaveURL("/users/sign_in");
    await lastQuestion;
    for (const { path, tab } of others) {
      await expect(tab).toHaveURL(
        `/users/sign_in?${new URLSearchParams({ return_to: path, now: "signed_out" }).toString()}`,
      );
      await expect(tab.getByText(/^You are signed out: in another tab/)).toBeVisible();
      await expect(tab.getByRole("heading", { name: "Say it before it happens." })).toBeVisible();
      await expect(tab.getByText("ben", { exact: true })).toHaveCount(0);
      await tab.waitForLoadState("networkidle");
    }
    for (const { seen } of others) {
      expect(seen.documents).toEqual(["/users/sign_in"]);
      // The one attempt to reconnect that was refused.
      expect(seen.sockets).toBeLessThanOrEqual(1);
    }

    const tabs = [page, ...others.map(({ tab }) => tab)];
    const silence = tabs.map(watch);
    for (const tab of tabs) await provoke(tab);
    expect(silence).toEqual(tabs.map(() => ({ documents: [], requests: [], sockets: 0 })));

    // The way back.
    const [live] = others;
    if (live === undefined) throw new Error("no tab was opened");
    await live.tab.getByLabel("Email").fill("ben@example.test");
    await live.tab.getByLabel("Password").fill("called-it-demo");
    await live.tab.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(live.tab).toHaveURL(live.path);
  },
);

test(
  "a page that the server tells to stay away says so, offers to reload, and is silent",
  { tag: PROOF },
  async ({ browser }) => {
    const page = await signedIn(browser, "ben");
    const slug = await activeSlug(page);
    await page.clock.install();
    await page.routeWebSocket(/\/cable$/, (socket) => {
      socket.send('{"type":"welcome"}');
      socket.send('{"type":"disconnect","reason":"invalid_request","reconnect":false}');
      void socket.close();
    });
    await page.goto(`/sessions/${slug}`);
    await expect(page.getByText("This page is no longer live.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Reload" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    const silence = watch(page);
    await provoke(page);
    expect(silence).toEqual({ documents: [], requests: [], sockets: 0 });

    await page.unrouteAll();
    await page.getByRole("link", { name: "Reload" }).click();
    await expect.poll(() => silence.documents).toEqual([`/sessions/${slug}`]);
  },
);
