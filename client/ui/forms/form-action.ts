import { data } from "react-router";
import type { ActionArgs } from "#client/base/page/handle.ts";
import { seeOther } from "./answer-form.ts";
import { type Fields, type FormOf, readForm } from "./read-form.ts";
import { refusedInForm } from "./refused-in-form.ts";
import type { Refused } from "./refused.ts";

export type RefusedForm<Read extends Fields> = Refused & FormOf<Read>;

/**
 * The action of a page's forms. A refusal is shown with what was typed, so no secret is among the fields.
 * @param act does what was sent. @returns the path to go on to, or the answer itself.
 */
export function formAction<const Read extends Fields, Answer>(
  fields: Read,
  act: (sent: FormOf<Read>, args: ActionArgs & { form: FormData }) => Promise<Answer>,
  nameOf?: (field: string) => string,
) {
  return async (args: ActionArgs) => {
    const form = await args.request.formData();
    const sent = readForm(form, fields, nameOf);
    try {
      const answer = await act(sent, { ...args, form });
      return typeof answer === "string" ? seeOther(answer) : answer;
    } catch (error) {
      const { status, ...refused } = refusedInForm(error);
      return data<RefusedForm<Read>>({ ...sent, ...refused }, { status });
    }
  };
}
