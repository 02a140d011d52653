import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { basedOn, isStale, refusedAsStale, VERSION_FIELD } from "../base-version.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { SessionRefused } from "./create-session.ts";
import { sessionPath } from "./load-session.ts";
import { fieldsIn, fieldsOf, sessionIn, wordsOf } from "./session-fields.ts";

/** Why the form of a session did not stand, and the version of the session that it is based on. */
export type EditRefused = Partial<SessionRefused & { version: string }>;

const SEE_OTHER = 303;

/** Saves the session as the form has it, or deletes it: the form's `intent` says which. */
export async function changeSession({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const path = sessionPath(params["id"]);
  const deleting = textIn(form, "intent") === "delete";
  try {
    if (deleting) {
      await api.delete(path);
      return redirect("/sessions", SEE_OTHER);
    }
    const { session } = await api.patch(path, { session: sessionIn(form) }, basedOn(form));
    return redirect(`/sessions/${session.slug}/admin`, SEE_OTHER);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    // The question that deletes holds none of the fields.
    const fields = deleting ? {} : { fields: fieldsIn(form), version: textIn(form, VERSION_FIELD) };
    const newer = isStale(error) ? await readNewer(api, path, form) : {};
    return data<EditRefused>({ ...refused, ...fields, ...newer }, { status });
  }
}

/** What somebody else has made of it, and the version that the form is based on from now on. */
async function readNewer(
  api: Api,
  path: ReturnType<typeof sessionPath>,
  form: FormData,
): Promise<EditRefused> {
  const { session } = await api.get(path);
  const zone = textIn(form, "time_zone");
  const stale = refusedAsStale(wordsOf(fieldsIn(form), zone), wordsOf(fieldsOf(session), zone));
  return { ...stale, version: String(session.version) };
}
