import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What came of a form that leaves the page as it is: how many players were mended, or what was refused. */
export type Managed = { mendedPlayersCount: number } | Refused;

const SEE_OTHER = 303;

/** Does what an admin's form asks, by its `intent`: counts anew, excludes a player, or ranks one again. */
export async function manageLeaders({ context, request }: ActionFunctionArgs) {
  const api = context.get(apiContext);
  const form = await request.formData();
  const sessionId = textIn(form, "session_id") || null;
  try {
    switch (textIn(form, "intent")) {
      case "recompute": {
        const answer = await api.put("/api/v1/scores/recompute", undefined, { query: { sessionId } });
        return data<Managed>(answer.recomputation);
      }
      case "exclude": {
        const [userId, reason] = [numberIn(form, "user_id"), textIn(form, "reason")];
        await api.post("/api/v1/scores/exclusions", { exclusion: { userId, sessionId, reason } });
        break;
      }
      case "readmit":
        await api.delete(`/api/v1/scores/exclusions/${encodeURIComponent(textIn(form, "exclusion_id"))}`);
        break;
      default:
        throw data(null, { status: 400 });
    }
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<Managed>(refused, { status });
  }
  const { pathname, search } = new URL(request.url);
  return redirect(`${pathname}${search}`, SEE_OTHER);
}
