import { type LoaderFunctionArgs, redirect } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";

/** The session that a guest can return to; null where none is live. */
export type GuestData = { active: { slug: string; name: string } | null };

/** What the form of a new account shows besides. `name`: what a guest without a name of their own may be called. */
export type RegistrationData = GuestData & { name: string };

/** For guests only. Other users are redirected. */
export async function loadGuest({ context, request }: LoaderFunctionArgs): Promise<GuestData> {
  if (context.get(pageContext).viewer?.guest !== true) throw redirect("/sessions");
  return findWayBack({ context, request });
}

/** The live session, for the way back to it. */
export async function findWayBack({
  context,
  request,
}: Pick<LoaderFunctionArgs, "context" | "request">): Promise<GuestData> {
  const { sessions } = await context
    .get(apiContext)
    .get("/api/v1/sessions", { query: { active: true }, signal: request.signal });
  const [active] = sessions;
  return { active: active === undefined ? null : { slug: active.slug, name: active.name } };
}
