import type { LoaderFunctionArgs } from "react-router";
import { pause } from "../browser/pause.ts";
import { apiContext } from "../page/context.ts";
import { failureOf, isBug } from "../page/error-responses.ts";
import { Deferred } from "./deferred.ts";

/** How long the browser waits for the next page's data before it opens the page with its loading state. */
const OPEN_WITHIN_MS = 120;

/**
 * Starts to load a part of a page. The server returns at once, and sends the part after the page. The browser waits for the
 * data where the part is already shown, so that it stays until it is replaced. On the way to another page it waits only
 * OPEN_WITHIN_MS.
 * @param load loads nothing that decides on the page's status, title or redirection: a loader awaits that itself.
 * @param path of what the data belongs to; pages below it show the same part. Without it: the page's own path.
 */
export async function defer<Data>(
  args: LoaderFunctionArgs,
  load: () => Promise<Data>,
  path = new URL(args.request.url).pathname,
): Promise<Deferred<Data>> {
  const deferred = new Deferred<Data>(path);
  const loaded = settleWith(deferred, load, args);
  if (args.context.get(apiContext).inProcess) return deferred;
  await (isShown(path) ? loaded : Promise.race([loaded, pause(OPEN_WITHIN_MS)]));
  return deferred;
}

async function settleWith<Data>(
  deferred: Deferred<Data>,
  load: () => Promise<Data>,
  args: LoaderFunctionArgs,
): Promise<void> {
  try {
    deferred.settle({ data: await load() });
  } catch (error) {
    if (isBug(error) && !args.request.signal.aborted) deferred.bug = error;
    deferred.settle({ failure: failureOf(error, args) });
  }
}

function isShown(path: string): boolean {
  const { pathname } = globalThis.location;
  return pathname === path || pathname.startsWith(`${path}/`);
}
