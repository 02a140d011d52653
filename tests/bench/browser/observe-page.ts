/** What a page has observed of itself. Times are milliseconds since the navigation. */
export type Observed = {
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
export const LIVE_BINDING = "reportLive";

declare global {
  interface Window {
    observed?: Observed;
    reportLive?: (payload: string) => void;
  }
}

/** Observes the page from its start. It runs in the page before its scripts, so it refers to nothing outside. */
export function observePage(): void {
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
