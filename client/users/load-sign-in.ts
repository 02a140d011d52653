import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";

/** Whoever is already signed in is taken on. */
export function loadSignIn({ context, request }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer === null) return null;
  throw redirect(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}
