import { type Api, createApi } from "#client/api.ts";
import { shareAuthentication } from "#src/sign-ins/authenticate.ts";

/** The server itself, asked from within. */
export type Handle = (request: Request) => Promise<Response>;

/**
 * The API for the loaders and actions of one page: asked in this process, as whoever asks for the page. Cookies that it
 * sets go out with the page.
 */
export function createInProcessApi(handle: Handle, request: Request, csrfToken: string): Api {
  const userAgent = request.headers.get("user-agent") ?? "";
  const purpose = request.method === "HEAD" ? "prefetch" : request.headers.get("sec-purpose");
  return createApi({
    inProcess: true,
    csrfToken,
    send: (path, init) => {
      const asked = new Request(new URL(path, request.url), init);
      asked.headers.set("user-agent", userAgent);
      // Links in mails do something when they are opened, and nothing when they are only looked at.
      if (purpose !== null) asked.headers.set("sec-purpose", purpose);
      shareAuthentication(request, asked);
      return handle(asked);
    },
  });
}
