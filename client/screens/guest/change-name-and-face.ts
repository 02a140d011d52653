import { type ActionFunctionArgs, redirect, redirectDocument } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

export type NameAndFaceRefusal = Refused & { username: string; face: number | undefined };

/** Changes the name and the face of a guest. What is left empty stays. */
export async function changeNameAndFace({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  if (viewer?.guest !== true) throw redirect("/sessions");
  const { username, face } = readForm(
    await request.formData(),
    { username: "optional", face: "number" },
    inUser,
  );
  try {
    await context.get(apiContext).patch("/users/guest", { user: { username, face } });
  } catch (error) {
    return refuseForm<NameAndFaceRefusal>(error, { username: username ?? "", face });
  }
  // A new document: the page's viewer has another name now.
  return redirectDocument("/guest?now=saved", SEE_OTHER);
}
