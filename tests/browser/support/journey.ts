import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  request,
  test as base,
} from "playwright/test";

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
