import { type LoaderFunctionArgs, redirect } from "react-router";
import { loadSession, type SessionData } from "#client/sessions/load-session.ts";

/** Loads the session to join. Players who have joined already are redirected to its Action screen. */
export async function loadJoin(args: LoaderFunctionArgs): Promise<SessionData> {
  const data = await loadSession(args);
  if (data.session.registered) throw redirect(`/sessions/${data.session.slug}`);
  return data;
}
