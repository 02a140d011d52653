import { data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import type { FormOf } from "#client/ui/forms/read-form.ts";
import type { SwitchesAnswer } from "#src/operate/switches/schemas.ts";
import type { InvitationsAnswer, NewInvitationAnswer } from "#src/people/invitations/schemas.ts";

/** What admins turn off for the whole site, and the invitations where accounts need one. Null: it is not shown. */
export type SiteData = { switches: SwitchesAnswer | null; invitations: InvitationsAnswer | null };

export async function loadSite({ api, context }: LoaderArgs): Promise<SiteData> {
  const isAdmin = context.get(pageContext).viewer?.roles.includes("admin") === true;
  if (!isAdmin) return { switches: null, invitations: null };
  const switches = await api.get("/api/v1/switches");
  const invitations = switches.registration === "invited" ? await api.get("/api/v1/invitations") : null;
  return { switches, invitations };
}

export const siteFields = {
  switch: "text",
  reason: "optional",
  id: "text",
  usesMax: "number",
  validDays: "number",
} as const;

/** Does what a button about the site says. The link of a new invitation is in this answer only, so the page is not loaded again. */
export async function actOnSite(
  api: Api,
  intent: string,
  { switch: name, reason, id, usesMax, validDays }: FormOf<typeof siteFields>,
): Promise<string | NewInvitationAnswer> {
  if (intent === "turn_on" || intent === "turn_off") {
    const change = { on: intent === "turn_on", ...(reason === undefined ? {} : { reason }) };
    await api.put(`/api/v1/switches/${encodeURIComponent(name)}`, { switch: change });
    return "/admin#switches";
  }
  if (intent === "revoke_invitation") {
    await api.delete(`/api/v1/invitations/${encodeURIComponent(id)}`);
    return "/admin#invitations";
  }
  if (intent !== "invite") throw data(null, { status: 400 });
  return api.post("/api/v1/invitations", { invitation: { usesMax, validDays } });
}
