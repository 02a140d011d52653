import { type LoaderFunctionArgs, redirect } from "react-router";
import { loadSession, type SessionData } from "./load-session.ts";

/** The session that is to be joined. Whoever has joined is taken to its action. */
export async function loadJoin(args: LoaderFunctionArgs): Promise<SessionData> {
  const found = await loadSession(args);
  if (found.session.registered) throw redirect(`/sessions/${found.session.slug}`);
  return found;
}
