import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../context.ts";

/** For guests and signed-out visitors. Users with an account are redirected. */
export function loadRegistration({ context }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer?.guest === false) throw redirect("/sessions");
  return null;
}
