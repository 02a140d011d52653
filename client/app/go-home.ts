import { type LoaderFunctionArgs, redirect } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { redirectToActiveSession } from "#client/base/page/guard.ts";

/** Redirects "/": admins to the blueprints, guests to the live session, everybody else to the sessions. */
export async function goHome({ context }: LoaderFunctionArgs): Promise<Response> {
  const page = context.get(pageContext);
  if (page.viewer?.guest === true)
    return (await redirectToActiveSession(page, context.get(apiContext))) ?? redirect("/guest");
  return redirect(page.viewer?.roles.includes("admin") === true ? "/blueprints" : "/sessions");
}
