import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { chooseTeamOf } from "#client/teams/load-teams.ts";
import { CHOOSE_TEAM } from "#client/teams/team-list.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** The result of a form that keeps the page open: how many players' scores were repaired, or the refusal. */
export type ManageResult = { mendedPlayersCount: number } | Refused;

const fields = {
  intent: "text",
  sessionId: "optional",
  userId: "number",
  reason: "text",
  exclusionId: "text",
} as const;

/** Handles an admin's form by its `intent`: recomputes the scores, excludes a player, or ranks one again; and the choice of a team. */
export async function manageLeaders({ context, params, request }: ActionFunctionArgs) {
  const api = context.get(apiContext);
  const form = await request.formData();
  const { intent, sessionId = null, userId, reason, exclusionId } = readForm(form, fields);
  try {
    switch (intent) {
      case "recompute": {
        const answer = await api.put("/api/v1/scores/recompute", undefined, { query: { sessionId } });
        return data<ManageResult>(answer.recomputation);
      }
      case "exclude":
        await api.post("/api/v1/scores/exclusions", { exclusion: { userId, sessionId, reason } });
        break;
      case "readmit":
        await api.delete(`/api/v1/scores/exclusions/${encodeURIComponent(exclusionId)}`);
        break;
      case CHOOSE_TEAM:
        await chooseTeamOf(api, params["slug"], form);
        break;
      default:
        throw data(null, { status: 400 });
    }
  } catch (error) {
    return refuseForm(error, {});
  }
  const { pathname, search } = new URL(request.url);
  return seeOther(pathname + search);
}
