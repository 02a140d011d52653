import { type LoaderFunctionArgs, redirect } from "react-router";
import { loadSession, type SessionData } from "#client/sessions/load-session.ts";
import { loadTeams } from "#client/teams/load-teams.ts";
import type { OfferedTeams } from "#src/play/teams/schemas.ts";

/** `teams`: those to choose from; null in a session without teams. */
export type JoinData = SessionData & { teams: OfferedTeams | null };

/** Loads the session to join. Players who have joined already are redirected to its Action screen. */
export async function loadJoin(args: LoaderFunctionArgs): Promise<JoinData> {
  const data = await loadSession(args);
  if (data.session.registered) throw redirect(`/sessions/${data.session.slug}`);
  const answer = await loadTeams(args);
  if (answer === null) return { ...data, teams: null };
  const teams = answer.teams.toSorted((one, other) => one.number - other.number);
  return { ...data, teams: { teams, suggested: answer.suggested } };
}
