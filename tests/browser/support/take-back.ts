import { expect, type Page, type Request } from "playwright/test";

/** So long an act may take to send its request. */
const ASKED_WITHIN_MS = 2_000;

/**
 * Takes one call back by an act, which is repeated until it asks the server: a control that has just come takes no press for a second, and
 * an act that has asked must not ask for the next call. Returns once the page has the answer.
 * @throws if the act has asked more than once.
 */
export async function takeOneBack(page: Page, act: () => Promise<void>): Promise<void> {
  const asked: Promise<unknown>[] = [];
  const count = (request: Request) => {
    if (request.method() !== "DELETE" || !/\/api\/v1\/calls\/\d+$/.test(request.url())) return;
    asked.push(request.response());
  };
  page.on("request", count);
  await expect(async () => {
    if (asked.length === 0) await act();
    await expect.poll(() => asked.length, { timeout: ASKED_WITHIN_MS }).toBeGreaterThan(0);
  }).toPass();
  await Promise.all(asked);
  expect(asked).toHaveLength(1);
  page.off("request", count);
}
