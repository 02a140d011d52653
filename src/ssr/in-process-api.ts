import { type Api, createApi } from "#client/api.ts";
import { shareAuthentication } from "#src/sign-ins/authenticate.ts";

/** Handles a request in this process, without a network connection. */
export type Handle = (request: Request) => Promise<Response>;

/**
 * Creates the API client for the loaders and actions of one page. Its requests run in this process with the page request's
 * sign-in. Cookies that they set are sent with the page.
 */
export function createInProcessApi(handle: Handle, request: Request, csrfToken: string): Api {
  const userAgent = request.headers.get("user-agent") ?? "";
  const purpose = request.method === "HEAD" ? "prefetch" : request.headers.get("sec-purpose");
  return createApi({
    inProcess: true,
    csrfToken,
    send: async (path, init) => {
      // A client that has left needs no further reads.
      init.signal?.throwIfAborted();
      const apiRequest = new Request(new URL(path, request.url), init);
      apiRequest.headers.set("user-agent", userAgent);
      // Links in mails act when a person opens them, and do nothing when they are prefetched or checked with HEAD.
      if (purpose !== null) apiRequest.headers.set("sec-purpose", purpose);
      shareAuthentication(request, apiRequest);
      return handle(apiRequest);
    },
  });
}
