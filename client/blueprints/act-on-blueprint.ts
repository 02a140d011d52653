import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import type { Refused } from "../refused.ts";
import { fromFieldTime } from "../ui/time-format.ts";
import { blueprintPath } from "./load-blueprint.ts";
import { refusedInEditor } from "./refused-in-editor.ts";

/** Why a blueprint was not deleted, or no session made of it, and what the form held. */
export type ActRefused = Refused & { intent: string; name: string; startsAt: string };

const SEE_OTHER = 303;

/** Makes a session of the blueprint and goes on to run it, or deletes the blueprint: the form's `intent` says which. */
export async function actOnBlueprint({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const path = blueprintPath(params["id"]);
  const intent = textIn(form, "intent");
  try {
    if (intent === "delete") {
      await api.delete(path);
      return redirect("/blueprints?said=deleted", SEE_OTHER);
    }
    const { session } = await api.post(`${path}/generate_session`, {
      session: sessionIn(form),
    });
    return redirect(`/sessions/${session.slug}/admin`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInEditor(error);
    const [name, startsAt] = [textIn(form, "name"), textIn(form, "starts_at")];
    return data<ActRefused>({ ...refused, intent, name, startsAt }, { status });
  }
}

/** The start is written in the reader's own zone, which the form sends along. */
function sessionIn(form: FormData) {
  const startsAt = textIn(form, "starts_at");
  return {
    name: textIn(form, "name"),
    startsAt: startsAt === "" ? null : (fromFieldTime(startsAt, textIn(form, "time_zone")) ?? startsAt),
  };
}
