import { type ActionFunctionArgs, data } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import * as texts from "./profile-texts.ts";
import { faultOf, isPicture, TOO_LARGE } from "./use-picture.ts";

const INVALID = 422;

/**
 * Saves the picture or the face of the form, or removes the old one. The file itself is uploaded before: the form then holds its signed
 * id instead. Where the form still holds a file, the upload was refused.
 */
export async function sendAvatar({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  const form = await request.formData();
  const { intent } = readForm(form, { intent: "text" });
  const problem = intent === "" ? await problemIn(form) : null;
  if (problem !== null)
    return data<Refused>({ refusal: "", errors: { avatar: [problem] } }, { status: INVALID });
  const user = changeIn(form, intent);
  try {
    await context.get(apiContext).patch(`/api/v1/users/${viewer?.id}`, { user });
  } catch (error) {
    return refuseForm(error, {});
  }
  return seeOther("/profile/avatar");
}

function changeIn(form: FormData, intent: string) {
  if (intent === "remove") return { avatar: null };
  return intent === "face" ? readForm(form, { face: "number" }, inUser) : pictureIn(form);
}

async function problemIn(form: FormData): Promise<string | null> {
  const sent = form.get(inUser("avatar"));
  if (typeof sent === "string" && sent !== "") return null;
  if (sent === null || typeof sent === "string" || sent.size === 0) return texts.notChosen;
  if (sent.size > UPLOAD_BYTES_MAX) return TOO_LARGE;
  if (!isPicture(sent)) return texts.notAPicture;
  return (await faultOf(sent)) ?? texts.notTakenNow;
}

/** Without JavaScript no square is sent. */
function pictureIn(form: FormData) {
  const { avatar } = readForm(form, { avatar: "text" }, inUser);
  const fields = { x: "number", y: "number", size: "number" } as const;
  const crop = readForm(form, fields, (part) => `user[crop][${part}]`);
  return crop.size === undefined ? { avatar } : { avatar, crop };
}
