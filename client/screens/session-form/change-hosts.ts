import type { Api } from "#client/base/api/api.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** Why a host was not added or removed, and the name or email that was typed. */
export type HostRefused = Refused & { user: string };

/** True for the forms of the hosts. */
export function isAboutHosts(intent: string): boolean {
  return intent === "add_host" || intent === "remove_host";
}

/** Adds or removes a host of a session, by the form's `intent`, and shows the page again. */
export async function changeHosts(api: Api, slugOrId: string, form: FormData) {
  const { intent, user, userId } = readForm(form, { intent: "text", user: "text", userId: "number" });
  const path = `${sessionPath(slugOrId)}/session_hosts` as const;
  try {
    await (intent === "add_host"
      ? api.post(path, { sessionHost: { user } })
      : api.delete(`${path}/${userId ?? 0}`));
    return seeOther(`/sessions/${encodeURIComponent(slugOrId)}/edit`);
  } catch (error) {
    return refuseForm<HostRefused>(error, { user });
  }
}
