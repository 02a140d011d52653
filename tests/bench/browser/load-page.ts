import type { Browser, BrowserContext, CDPSession, Page } from "playwright";

/** A phone. */
const VIEWPORT = { width: 390, height: 844 };
/** Chromium's DevTools call it "Slow 4G": 1.6 Mbit/s down, 750 kbit/s up and 150 ms, with their corrections. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const CPU_TIMES_SLOWER = 4;
const QUIET_MS = 1_500;
const WITHIN_MS = 60_000;
const BLOCKING_MS = 50;

/** A page under measurement, opened by a signed-in viewer. */
type Opened = { url: string; cookie: string };
/** One load. Bytes are those on the wire, headers included. Times are milliseconds since the navigation. */
type Load = {
  requests: number;
  bytes: number;
  scriptBytes: number;
  fcpMs: number;
  lcpMs: number;
  liveMs: number;
  /** The total blocking time: the sum of what long tasks after the first contentful paint took above 50 ms. */
  tbtMs: number;
  longestTaskMs: number;
  cls: number;
};
/** A first visit, and the interaction on it. */
export type Visited = Load & { interactionMs: number };

/**
 * Visits a page with a new browser profile, on a slow line and a slow CPU.
 * @param interact what the viewer does on the live page.
 */
export async function visit(
  browser: Browser,
  opened: Opened,
  interact: (page: Page) => Promise<void>,
): Promise<Visited> {
  const context = await newContext(browser, opened);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_TIMES_SLOWER });
    await devtools.send("Runtime.enable");
    await devtools.send("Runtime.addBinding", { name: LIVE_BINDING });
    const loaded = await load(page, devtools, opened.url);
    await interact(page);
    await page.waitForTimeout(QUIET_MS);
    const { interactionsMs } = await observedIn(page);
    return { ...loaded, interactionMs: Math.max(0, ...interactionsMs) };
  } finally {
    await context.close();
  }
}

async function newContext(browser: Browser, { url, cookie }: Opened): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    serviceWorkers: "block",
  });
  const cookies = cookie.split("; ").filter((pair) => pair !== "");
  await context.addCookies(
    cookies.map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: new URL(url).origin };
    }),
  );
  await context.addInitScript(observePage);
  return context;
}

/**
 * Loads the page and waits until it is live and quiet. Meanwhile Playwright does nothing in the page: its locators would run more
 * script there than the page itself, before the first paint and in each frame.
 */
async function load(page: Page, devtools: CDPSession, url: string): Promise<Load> {
  const sent = new Map<string, { url: string; isScript: boolean; bytes: number }>();
  const stop = countRequests(devtools, sent);
  const live = whenLive(devtools);
  await page.goto(url, { timeout: WITHIN_MS, waitUntil: "commit" });
  await live;
  await page.waitForTimeout(QUIET_MS);
  const observed = await observedIn(page);
  const fcpMs = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  stop();
  if (observed.errors.length > 0) throw new Error(`${url} has errors: ${observed.errors.join(", ")}`);
  const files = [...sent.values()];
  const scripts = files.filter(({ isScript }) => isScript);
  return {
    requests: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    scriptBytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
    fcpMs,
    lcpMs: observed.lcpMs,
    liveMs: observed.liveMs ?? Number.NaN,
    tbtMs: blockingMs(observed.longTasks, fcpMs),
    longestTaskMs: Math.max(0, ...observed.longTasks.map(({ ms }) => ms)),
    cls: observed.cls,
  };
}

/** @throws if the page does not become live in time. */
async function whenLive(devtools: CDPSession): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("The page did not become live.")), WITHIN_MS);
  devtools.once("Runtime.bindingCalled", () => resolve());
  await promise.finally(() => clearTimeout(timer));
}

function blockingMs(tasks: Observed["longTasks"], fromMs: number): number {
  return tasks
    .filter(({ startMs }) => startMs >= fromMs)
    .reduce((sum, { ms }) => sum + Math.max(0, ms - BLOCKING_MS), 0);
}

async function observedIn(page: Page): Promise<Observed> {
  const observed = await page.evaluate(() => window.observed);
  if (observed === undefined) throw new Error("The page was not observed.");
  return observed;
}

type Sent = Map<string, { url: string; isScript: boolean; bytes: number }>;

/** Collects the requests that go over the line. What comes from the browser's cache is no request. */
function countRequests(devtools: CDPSession, sent: Sent): () => void {
  const cached = new Set<string>();
  const onResponse: Parameters<typeof devtools.on<"Network.responseReceived">>[1] = ({
    requestId,
    response,
    type,
  }) => {
    const { url, fromDiskCache = false } = response;
    if (fromDiskCache || cached.has(requestId) || url.startsWith("data:")) return;
    sent.set(requestId, {
      url,
      isScript: type === "Script" || response.mimeType.includes("javascript"),
      bytes: 0,
    });
  };
  const onFinished: Parameters<typeof devtools.on<"Network.loadingFinished">>[1] = ({
    requestId,
    encodedDataLength,
  }) => {
    const request = sent.get(requestId);
    if (request !== undefined) request.bytes = encodedDataLength;
  };
  const onCached: Parameters<typeof devtools.on<"Network.requestServedFromCache">>[1] = ({ requestId }) =>
    cached.add(requestId);
  devtools.on("Network.requestServedFromCache", onCached);
  devtools.on("Network.responseReceived", onResponse);
  devtools.on("Network.loadingFinished", onFinished);
  return () => {
    devtools.off("Network.requestServedFromCache", onCached);
    devtools.off("Network.responseReceived", onResponse);
    devtools.off("Network.loadingFinished", onFinished);
  };
}

/** What a page has observed of itself. Times are milliseconds since the navigation. */
type Observed = {
  lcpMs: number;
  cls: number;
  /** When the app's root was marked as hydrated; null before. */
  liveMs: number | null;
  longTasks: { startMs: number; ms: number }[];
  /** From each input to the next paint. */
  interactionsMs: number[];
  errors: string[];
};

/** The function of the page that tells the bench that the app is live. */
const LIVE_BINDING = "reportLive";

declare global {
  interface Window {
    observed?: Observed;
    reportLive?: (payload: string) => void;
  }
}

/** Observes the page from its start. It runs in the page before its scripts, so it refers to nothing outside. */
function observePage(): void {
  const observed: Observed = {
    lcpMs: 0,
    cls: 0,
    liveMs: null,
    longTasks: [],
    interactionsMs: [],
    errors: [],
  };
  window.observed = observed;
  const observe = (type: string, each: (entry: PerformanceEntry) => void, options: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
      type,
      buffered: true,
      ...options,
    });
  observe("largest-contentful-paint", (entry) => (observed.lcpMs = entry.startTime));
  observe("longtask", ({ startTime, duration }) =>
    observed.longTasks.push({ startMs: startTime, ms: duration }),
  );
  observe("layout-shift", (entry) => {
    if ("value" in entry && "hadRecentInput" in entry && entry.hadRecentInput === false)
      observed.cls += Number(entry.value);
  });
  observe(
    "event",
    (entry) => {
      if ("interactionId" in entry && entry.interactionId !== 0) observed.interactionsMs.push(entry.duration);
    },
    { durationThreshold: 16 },
  );
  window.addEventListener("error", ({ message }) => observed.errors.push(message));
  window.addEventListener("unhandledrejection", ({ reason }) => observed.errors.push(String(reason)));
  const marks = new MutationObserver(() => {
    if (document.querySelector("#root[data-hydrated]") === null) return;
    observed.liveMs = performance.now();
    marks.disconnect();
    window.reportLive?.("");
  });
  marks.observe(document, { subtree: true, attributeFilter: ["data-hydrated"] });
}
