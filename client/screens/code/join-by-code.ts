import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { PLAY, type PlayRefusal } from "#client/front-door/play-now.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";

/** Joins the session of the code, as a new guest for a visitor who is signed out, and opens its Action screen. */
export async function joinByCode({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const code = form.get("code") ?? new URL(request.url).searchParams.get("code") ?? "";
  const { username, face } = readForm(form, { username: "optional", face: "number" }, inUser);
  const { team } = readForm(form, { team: "number" });
  try {
    const { session } = await context.get(apiContext).post("/api/v1/joins", {
      join: { code, username, face, team },
    });
    // A new document: the token, the viewer and all loaded data may belong to another user now.
    return redirectDocument(`/sessions/${session.slug}`);
  } catch (error) {
    return refuseForm<PlayRefusal>(error, { intent: PLAY, username: username ?? "", face });
  }
}
