import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../context.ts";

/** Only who would lose something is asked. To open the address ends no sign-in. */
export function loadLeaving({ context }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer?.guest !== true) throw redirect("/sessions");
  return null;
}
