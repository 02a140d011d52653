import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  request,
  type Response,
  type Route,
  test as base,
} from "playwright/test";

const SEEN_WITHIN_MS = 3_000;
const SOON_MS = 1_000;
const HELD_REPEATS = 30;

export { type BrowserContext, expect, type Locator, type Page, type Route } from "playwright/test";

/** The tag of a journey that runs with `bun run prove`: a further screen of one that runs each day. */
export const PROOF = "@proof";

/** How somebody's browser is set. */
export type Device = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Of the journey that runs: a worker of Playwright runs one at a time. */
let browser: Browser | undefined;
const requests: APIRequestContext[] = [];

/**
 * A journey. All browser contexts that it opened are closed after it: an open page goes on playing, and would slow down the
 * journeys after it, which share two cores.
 */
export const test = base.extend<{ closing: void }>({
  closing: [
    async ({ browser: own }, use) => {
      browser = own;
      await use();
      await Promise.all(own.contexts().map((context) => context.close()));
      await Promise.all(requests.splice(0).map((context) => context.dispose()));
    },
    { auto: true },
  ],
});

/** The address of the product. */
export function productUrl(): string {
  return test.info().project.use.baseURL ?? "";
}

/** The browser of somebody else. */
export async function newContext(options: Device = {}): Promise<BrowserContext> {
  if (browser === undefined) throw new Error("No journey runs.");
  return browser.newContext(options);
}

/** Somebody without a browser, who knows the API alone. */
export async function newRequests(): Promise<APIRequestContext> {
  const context = await request.newContext();
  requests.push(context);
  return context;
}

export async function hydrated(page: Page): Promise<void> {
  await page.locator("#root[data-hydrated]").waitFor();
}

/** Opens an address, and waits until its page is hydrated. */
export async function openLive(page: Page, address: string): Promise<Response | null> {
  const response = await page.goto(address);
  await hydrated(page);
  return response;
}

/**
 * Makes a live page load now what it loads at its first use, such as the code of the result bar and the sheets. The event is not a user's
 * input, after which browsers do not count layout shifts for half a second.
 */
export async function use(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event("wheel")));
}

/** Goes back without waiting for a page: another step may come before it is loaded, and from a page that is gone no answer comes. */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.history.back()).catch(() => undefined);
}

/** Stops an installed clock of a page: what it shows for seconds stays until they have passed for it. */
export async function stopClock(page: Page): Promise<void> {
  // On a busy machine the clock of the page may be past that moment already.
  await expect(() => page.clock.pauseAt(Date.now() + SOON_MS)).toPass();
}

/**
 * Handles the requests to an address until the returned function is called; then they go their way. `unroute`, and `times`, would have the
 * browser stop asking: a request that it sends in that moment never gets an answer. A handler that fails afterwards, because the test has
 * ended and its page is gone, fails nothing.
 */
export async function intercept(
  page: Page | BrowserContext,
  address: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await page.route(address, async (route) => {
    if (isOver) return route.fallback();
    await Promise.resolve(handle(route)).catch((error: unknown) => {
      if (!isOver) throw error;
    });
  });
  return () => {
    isOver = true;
  };
}

/** Acts until what it brings is seen: a phone shows it for a few seconds only, which may pass on a busy machine before the look. */
export async function untilSeen(act: () => Promise<void>, seen: Locator): Promise<void> {
  await expect(async () => {
    await act();
    await expect(seen).toBeVisible({ timeout: SEEN_WITHIN_MS });
  }).toPass();
}

/** Drags an element down, as a finger does. */
export async function pullDown(page: Page, part: Locator): Promise<void> {
  // Waits until the sheet has come in.
  await part.hover();
  const box = await part.boundingBox();
  if (box === null) throw new Error("The sheet has no head.");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 60);
  await page.mouse.move(x, y + 200);
  await page.mouse.up();
}

/** Keeps a key down, as its repeats arrive from a hand that rests on it. */
export async function keepDown(page: Page, key: string): Promise<void> {
  for (let count = 0; count < HELD_REPEATS; count += 1) await page.keyboard.down(key);
}

export async function hold(page: Page, key: string): Promise<void> {
  await keepDown(page, key);
  await page.keyboard.up(key);
}

type OtherKey = { key: string; code?: string; keyCode?: number; isComposing?: boolean };

/** A key of another layout, or one that an input method takes, which the test's keyboard has not. */
export async function pressOther(page: Page, key: OtherKey): Promise<void> {
  await page.evaluate(
    (init) => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true })),
    key,
  );
}
