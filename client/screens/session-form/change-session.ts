import { type ActionFunctionArgs, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { brandFieldsIn, type BrandFields, brandIn } from "#client/sessions/brand-fields.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { fieldsIn, fieldsOf, sessionIn, textsOf } from "#client/sessions/session-fields.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { ifMatchHeaders, isStale, staleRefusal } from "#client/ui/forms/base-version.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refusedInForm } from "#client/ui/forms/refused-in-form.ts";
import { changeHosts, isAboutHosts } from "./change-hosts.ts";
import type { SessionRefused } from "./create-session.ts";

/** Why the form of a session was refused, what was typed, and the version that the form is based on. */
export type EditRefused = Partial<SessionRefused & { version: string; brand: BrandFields }>;

/** Saves the session or its brand, deletes it, or changes its hosts, by the form's `intent`. */
export async function changeSession({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const api = context.get(apiContext);
  const path = sessionPath(params["id"]);
  const { intent, version } = readForm(form, { intent: "text", version: "text" });
  if (isAboutHosts(intent)) return changeHosts(api, params["id"] ?? "", form);
  const deleting = intent === "delete";
  const isBrand = intent === "brand";
  try {
    if (deleting) {
      await api.delete(path);
      return seeOther("/sessions");
    }
    const changes = isBrand ? { settings: { brand: brandIn(form) } } : sessionIn(form);
    const { session } = await api.patch(path, { session: changes }, ifMatchHeaders(form));
    return seeOther(`/sessions/${session.slug}/admin`);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    if (isBrand) return data<EditRefused>({ ...refused, brand: brandFieldsIn(form) }, { status });
    // The form that deletes has none of the fields.
    const fields = deleting ? {} : { fields: fieldsIn(form), version };
    const newer = isStale(error) ? await readNewer(api, path, form) : {};
    return data<EditRefused>({ ...refused, ...fields, ...newer }, { status });
  }
}

/** Reads the version that another user has saved; the form is based on it from now on. */
async function readNewer(
  api: Api,
  path: ReturnType<typeof sessionPath>,
  form: FormData,
): Promise<EditRefused> {
  const { session } = await api.get(path);
  const { timeZone: zone } = readForm(form, { timeZone: "text" });
  const stale = staleRefusal(textsOf(fieldsIn(form), zone), textsOf(fieldsOf(session), zone));
  return { ...stale, version: String(session.version) };
}
