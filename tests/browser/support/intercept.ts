import type { BrowserContext, Page, Route } from "playwright/test";

/**
 * Handles the requests to an address until the returned function is called; then they go their way. `unroute`, and `times`, would have the
 * browser stop asking: a request that it sends in that moment never gets an answer.
 */
export async function intercept(
  page: Page | BrowserContext,
  address: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await page.route(address, (route) => (isOver ? route.fallback() : handle(route)));
  return () => {
    isOver = true;
  };
}
