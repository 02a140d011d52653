import { type BrowserContext, type CDPSession, expect, type Page, type Worker } from "playwright/test";
import { hydrated, use } from "./journey.ts";

/** The browser may stop a worker that is being asked, and then nobody answers. */
const ANSWER_WITHIN_MS = 10_000;

const ACTIVE_WITHIN_MS = 20_000;
const PAGES_MAX = 3;

/**
 * Uses the page once it is hydrated, and waits until its service worker is active. On a busy machine the browser may fail to start
 * one: the next page tries again.
 */
export async function untilActive(page: Page): Promise<void> {
  for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
    await hydrated(page);
    await use(page);
    if (await isActive(page)) return;
    await page.reload();
  }
  throw new Error(`No service worker became active on ${PAGES_MAX} pages.`);
}

function isActive(page: Page): Promise<boolean> {
  return page.evaluate(async (withinMs) => {
    const late = new Promise<null>((resolve) => {
      setTimeout(resolve, withinMs, null);
    });
    return (await Promise.race([navigator.serviceWorker.ready, late])) !== null;
  }, ACTIVE_WITHIN_MS);
}

/** The worker's registration, as the browser's tools name it. */
export async function findRegistration(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  return found;
}

/** The running worker. The browser may have ended one and started another. */
export function workerOf(context: BrowserContext): Worker {
  const worker = context.serviceWorkers().at(-1);
  if (worker === undefined) throw new Error("There is no service worker.");
  return worker;
}

/** What the running worker answers to a question, for `expect.poll`. Null: it has stopped meanwhile; the next poll asks again. */
export function askWorker<Answer>(
  context: BrowserContext,
  question: () => Promise<Answer>,
): Promise<Answer | null> {
  const { promise: silence, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ANSWER_WITHIN_MS);
  const answer = workerOf(context)
    .evaluate(question)
    .catch(() => null);
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

/** Leaves the page, and waits until the worker sees none any more: while a page is visible, that shows what happens. */
export async function leavePage(page: Page): Promise<void> {
  await page.goto("about:blank");
  const pages = () =>
    askWorker(page.context(), async () => {
      const own: { clients: { matchAll: () => Promise<unknown[]> } } = Object(globalThis);
      return (await own.clients.matchAll()).length;
    });
  await expect.poll(pages).toBe(0);
}
