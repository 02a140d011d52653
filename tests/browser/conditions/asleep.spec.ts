import { expect, type Page } from "playwright/test";
import { intercept } from "../support/intercept.ts";
import { PROOF, test } from "../support/journey.ts";
import { cancel, play, side, slip, playOnQuietNetwork } from "../support/one-phone-show.ts";
import { goOn, lock } from "../support/two-device-show.ts";

const HOUR_MS = 3_600_000;
const TRUTH_WITHIN_MS = 1_000;
const LOOKED_FOR_MS = 3_000;
const OFF_BY_S = 3;
const syncOf = (page: Page) => page.locator(".topbar .sync");

type Seen = { atMs: number; sync: string; question: string; left: string };

declare global {
  interface Window {
    /** What the page has shown, ten times a second, since `wokenMs`. */
    seen: Seen[];
    setClock: (ms: number) => void;
  }
}

/** Lets the page record what it shows, and its clock be set. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.seen = [];
    const now = Date.now.bind(Date);
    let setMs = 0;
    Date.now = () => now() + setMs;
    window.setClock = (ms) => {
      setMs += ms;
    };
    setInterval(() => {
      const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";
      window.seen.push({
        atMs: performance.now(),
        sync: text(".topbar .sync"),
        question: text(".card-q"),
        left: text(".clock output"),
      });
    }, 100);
  });
  await page.reload();
  await page.locator("#root[data-hydrated]").waitFor();
  await expect(syncOf(page)).toHaveText("In sync");
}

/** "19:07" and "9.4" in seconds. */
const secondsIn = (left: string) => left.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

test(
  "a page that wakes up says that it is catching up until it shows what is, whatever became of its socket",
  { tag: PROOF },
  async ({ browser, baseURL }) => {
    const { network, show, page } = await playOnQuietNetwork(browser, String(baseURL));
    await watch(page);
    for (const isDead of [false, true]) {
      await test.step(isDead ? "its socket has died meanwhile" : "its socket is alive", async () => {
        await lock(page, true);
        const { promise: morning, resolve: wakeUp } = Promise.withResolvers<void>();
        const stopHolding = await intercept(page, "**/sleep", async (route) => {
          await morning;
          await route.fulfill({ body: "" });
        });
        // Nothing of the page runs while it waits for this answer, and ten minutes pass for its clock.
        const slept = page.evaluate(() => {
          const sleep = new XMLHttpRequest();
          sleep.open("GET", "/sleep", false);
          sleep.send();
          window.setClock(600_000);
          window.seen = [];
          Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        });
        if (isDead) network.silenceSockets();
        const asleep = { ...show, devices: [] };
        await goOn(asleep);
        show.open = asleep.open;
        wakeUp();
        await slept;
        stopHolding();
        await expect(page.getByRole("heading", { name: show.open.title })).toBeVisible();
        await expect(syncOf(page)).toHaveText("In sync");
        const seen = await page.evaluate(() => window.seen);
        const [woken] = seen;
        const late = seen.filter(({ atMs }) => atMs > (woken?.atMs ?? 0) + TRUTH_WITHIN_MS);
        const lies = late.filter(({ sync, question }) => sync === "In sync" && question !== show.open.title);
        expect(lies).toEqual([]);
        // A socket that is alive tells it everything before anybody can see that.
        if (isDead) expect(seen.some(({ sync }) => sync === "Catching up")).toBe(true);
      });
    }
    network.stop();
  },
);

test("a clock that is set while the page is seen changes no countdown", async ({ browser }) => {
  const { page } = await play(browser);
  await watch(page);
  for (const jumpMs of [HOUR_MS, -2 * HOUR_MS]) {
    const before = await page.evaluate((ms) => {
      const left = document.querySelector(".clock output")?.textContent ?? "";
      window.seen = [];
      window.setClock(ms);
      return { left, atMs: performance.now() };
    }, jumpMs);
    await page.waitForFunction(
      (ms) => (window.seen.at(-1)?.atMs ?? 0) > (window.seen[0]?.atMs ?? 0) + ms,
      LOOKED_FOR_MS,
    );
    const seen = await page.evaluate(() => window.seen);
    // On a busy machine the page shows the time of a while ago, but none before or after.
    const off = seen.filter(({ left, atMs }) => {
      const passedS = secondsIn(before.left) - secondsIn(left);
      return passedS < -OFF_BY_S || passedS > (atMs - before.atMs) / 1_000 + OFF_BY_S;
    });
    expect(off).toEqual([]);
    await expect(side(page, "True")).toBeEnabled();
  }
});

test(
  "a cancellation whose answers and messages are lost is being checked, and is known within a second of being back",
  { tag: PROOF },
  async ({ browser, baseURL }) => {
    const product = String(baseURL);
    const { network, page } = await playOnQuietNetwork(browser, product);
    await side(page, "True").click();
    await expect(slip(page)).toContainText("$1.00");
    await expect(cancel(page)).toBeVisible();
    // The server takes it back, and the page hears nothing of it.
    const stopAborting = await intercept(page, "**/api/v1/calls/*", async (route) => {
      const request = route.request();
      const headers = { ...(await request.allHeaders()), origin: new URL(product).origin };
      await fetch(request.url().replace(network.url, product), { method: request.method(), headers });
      await route.abort();
    });
    network.dropAll();
    await cancel(page).click();
    await expect(page.getByText("Checking whether your call was taken back.")).toBeVisible();
    stopAborting();
    network.restore();
    await expect(slip(page)).toContainText("Taken back: True $1.00");
    network.stop();
  },
);
