import { ApiError } from "#client/base/api/api.ts";
import { pageContext } from "#client/base/page/context.ts";
import { denyNavigation } from "#client/base/page/guard.ts";
import type { Loader } from "#client/base/page/handle.ts";

/**
 * Wraps the loader of a page for the hosts of a session: everybody else is denied it as every page for admins. The API decides, because it knows
 * better than a page that was opened an hour ago who hosts what. Of a private session a loader gets 403 or 404, whichever comes first;
 * only to an admin 404 says that there is no such session.
 */
export function forHosts(load: Loader): Loader {
  return async (args) => {
    try {
      return await load(args);
    } catch (error) {
      const isAdmin = args.context.get(pageContext).viewer?.roles.includes("admin") === true;
      if (error instanceof ApiError && (error.status === 403 || (error.status === 404 && !isAdmin)))
        throw denyNavigation(args.request, args.api);
      throw error;
    }
  };
}
