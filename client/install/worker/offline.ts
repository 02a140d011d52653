import { shell } from "./shell.ts";

const UNAVAILABLE = 503;

/** Answers a navigation from the network, and without one with the page that says so. */
export async function answerNavigation({ request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return new Response(shell.offlinePage, {
      status: UNAVAILABLE,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": shell.offlinePolicy,
        "cache-control": "no-store",
      },
    });
  }
}
