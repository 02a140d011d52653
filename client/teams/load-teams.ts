import type { LoaderArgs } from "#client/base/page/handle.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { Api } from "../base/api/api.ts";
import { sessionPath, startedSessionContext } from "../sessions/load-session.ts";
import { readForm } from "../ui/forms/read-form.ts";

/** The teams of the session of the page; null if it has none. */
export async function loadTeams({ api, context, params }: LoaderArgs): Promise<TeamsAnswer | null> {
  const started = context.get(startedSessionContext);
  if (started?.settings.teams.length === 0) return null;
  const query = { sessionId: params["slug"] };
  const answer = await api.get("/api/v1/scores/teams", { query });
  return answer.teams.length === 0 ? null : answer;
}

/** Puts the viewer into the team of a form, or with a `userId` another player, which only hosts may. */
export async function chooseTeamOf(api: Api, slug: string | undefined, form: FormData): Promise<void> {
  const { number, userId } = readForm(form, { number: "number", userId: "optional" });
  const body = { team: { number } };
  if (userId === undefined) await api.put(`${sessionPath(slug)}/team`, body);
  else await api.put(`${sessionPath(slug)}/players/${encodeURIComponent(userId)}/team`, body);
}
