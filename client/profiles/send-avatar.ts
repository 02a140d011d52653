import { type ActionFunctionArgs, data, redirect } from "react-router";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import { apiContext, pageContext } from "../context.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { TOO_LARGE } from "./use-picture.ts";

const SEE_OTHER = 303;
const INVALID = 422;

/**
 * Takes the picture of the form, or takes the old one away. By now the file is sent and its signed id stands in its place;
 * a file that still is one was refused.
 */
export async function sendAvatar({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  const form = await request.formData();
  const problem = problemIn(form);
  if (problem !== null)
    return data<Refused>({ refusal: "", errors: { avatar: [problem] } }, { status: INVALID });
  try {
    await context.get(apiContext).patch(`/api/v1/users/${viewer?.id}`, { user: changeIn(form) });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<Refused>(refused, { status });
  }
  return redirect("/profile/avatar", SEE_OTHER);
}

const isRemoval = (form: FormData) => textIn(form, "intent") === "remove";

function problemIn(form: FormData): string | null {
  const sent = form.get("user[avatar]");
  if (isRemoval(form) || (typeof sent === "string" && sent !== "")) return null;
  if (sent === null || typeof sent === "string" || sent.size === 0) return "is not chosen yet";
  return sent.size > UPLOAD_BYTES_MAX ? TOO_LARGE : "cannot be taken now: try again later";
}

function changeIn(form: FormData) {
  if (isRemoval(form)) return { avatar: null };
  const [x, y, size] = ["x", "y", "size"].map((part) => numberIn(form, `user[crop][${part}]`));
  const avatar = textIn(form, "user[avatar]");
  return size === undefined ? { avatar } : { avatar, crop: { x, y, size } };
}
