import { data, redirect } from "react-router";
import { refusedInForm } from "./refused-in-form.ts";
import type { Refused } from "./refused.ts";

/** After a form the browser loads the next page with GET. */
export const SEE_OTHER = 303;

/** Answers a form whose work is done: the browser goes to `path`. */
export function seeOther(path: string): Response {
  return redirect(path, SEE_OTHER);
}

/**
 * Answers a form that was refused, with the status of the refusal.
 * @param typed what the form shows again beside the refusal.
 * @throws the error again where no form can show it; see `refusedInForm`.
 */
export function refuseForm<Shown extends Refused>(
  error: unknown,
  typed: Omit<Shown, keyof Refused>,
): ReturnType<typeof data<Shown>>;
export function refuseForm(error: unknown, typed: object): ReturnType<typeof data<object>> {
  const { status, ...refused } = refusedInForm(error);
  return data({ ...refused, ...typed }, { status });
}
