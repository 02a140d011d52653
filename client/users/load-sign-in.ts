import { redirect } from "react-router";
import { pageContext } from "../context.ts";
import { safeReturnPath } from "../guard.ts";
import type { LoaderArgs } from "../screen.ts";

/** Whoever is already signed in is taken on. */
export function loadSignIn({ context, request }: LoaderArgs): null {
  if (context.get(pageContext).viewer === null) return null;
  throw redirect(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}
