import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "#client/base/page/context.ts";

/** Redirects "/": admins to the blueprints, everybody else to the sessions. */
export function goHome({ context }: LoaderFunctionArgs): Response {
  const admin = context.get(pageContext).viewer?.roles.includes("admin") === true;
  return redirect(admin ? "/blueprints" : "/sessions");
}
