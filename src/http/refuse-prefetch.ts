import { Refusal } from "#src/base/refusal.ts";

/**
 * Refuses to do what a link is for where nobody has opened it: a mail scanner asks what would be there (HEAD), a browser
 * fetches ahead of a click. 503, after which a browser asks again once the link is opened.
 */
export function refusePrefetch({ method, headers }: Request): void {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? "";
  if (method !== "HEAD" && !/prefetch|prerender|preview/i.test(purpose)) return;
  throw new Refusal(503, "prefetch", "This link does something when it is opened.", {
    retryAfterSeconds: 1,
  });
}
