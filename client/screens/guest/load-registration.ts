import { type LoaderFunctionArgs, redirect } from "react-router";
import { pageContext } from "#client/base/page/context.ts";
import { findWayBack, type GuestData } from "./load-guest.ts";

/** For guests, who may go back to the game, and signed-out visitors. Users with an account are redirected. */
export async function loadRegistration(args: LoaderFunctionArgs): Promise<GuestData> {
  const { viewer } = args.context.get(pageContext);
  if (viewer?.guest === false) throw redirect("/sessions");
  return viewer === null ? { active: null } : findWayBack(args);
}
