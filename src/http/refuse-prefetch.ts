import { Refusal } from "#src/base/refusal.ts";

/**
 * Refuses requests that did not come from a click on the link: HEAD requests of mail scanners, and prefetches of browsers.
 * The status is 503, after which a browser requests the page again when the user opens the link.
 */
export function refusePrefetch({ method, headers }: Request): void {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? "";
  if (method !== "HEAD" && !/prefetch|prerender|preview/i.test(purpose)) return;
  throw new Refusal(503, "prefetch", "This link does something when it is opened.", {
    retryAfterSeconds: 1,
  });
}
