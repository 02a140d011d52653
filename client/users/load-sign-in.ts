import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";

/** Whoever is already signed in is taken on; a guest may have an account. */
export function loadSignIn({ context, request }: LoaderFunctionArgs): null {
  const { viewer } = context.get(pageContext);
  if (viewer === null || viewer.guest) return null;
  throw redirect(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}
