import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { chooseTeamOf } from "#client/teams/load-teams.ts";
import { CHOOSE_TEAM } from "#client/teams/team-list.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** Puts the viewer into the team of the form, and shows the page again. */
export async function actOnHistory({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  if (form.get("intent") !== CHOOSE_TEAM) throw data(null, { status: 400 });
  try {
    await chooseTeamOf(context.get(apiContext), params["slug"], form);
  } catch (error) {
    return refuseForm<Refused>(error, {});
  }
  const { pathname, search } = new URL(request.url);
  return seeOther(pathname + search);
}
