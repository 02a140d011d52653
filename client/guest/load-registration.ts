import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "../context.ts";

/** For guests, and for whoever is new; somebody with an account needs no other. */
export function loadRegistration({ context }: LoaderFunctionArgs): null {
  if (context.get(pageContext).viewer?.guest === false) throw redirect("/sessions");
  return null;
}
