import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";
import { PLAY, type PlayRefusal } from "#client/front-door/play-now.tsx";
import { becomeGuest } from "#client/sign-ins/become-guest.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import { signIn } from "./sign-in.ts";

/** Takes the two forms of the front door: to play without an account, and to sign in. */
export async function enter(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  return form.get("intent") === PLAY ? playNow(args, form) : signIn(args, form);
}

/** Signs the visitor in as a guest, with the chosen name. A refusal is shown in the form. */
async function playNow({ context }: ActionFunctionArgs, form: FormData) {
  const { username, face } = readForm(form, { username: "optional", face: "number" }, inUser);
  const { to } = readForm(form, { to: "text" });
  try {
    return await becomeGuest(context.get(apiContext), {
      returnPath: safeReturnPath(to),
      user: { username, face },
    });
  } catch (error) {
    return refuseForm<PlayRefusal>(error, { intent: PLAY, username: username ?? "", face });
  }
}
