import { type LoaderFunction, redirect } from "react-router";
import { ApiError } from "#client/base/api/api.ts";

const FORBIDDEN = 403;

/**
 * Wraps the loader of a page for the hosts of a session: everybody else is led to the sessions. The API decides, because it knows
 * better than a page that was opened an hour ago who hosts what.
 */
export function forHosts(load: LoaderFunction): LoaderFunction {
  return async (args, handlerContext) => {
    try {
      return await load(args, handlerContext);
    } catch (error) {
      if (error instanceof ApiError && error.status === FORBIDDEN) throw redirect("/sessions");
      throw error;
    }
  };
}
