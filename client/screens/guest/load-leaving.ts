import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "#client/base/page/context.ts";

/** For guests only, because only they lose something. Opening the page does not end the sign-in. */
export function loadLeaving({ context }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer?.guest !== true) throw redirect("/sessions");
  return null;
}
