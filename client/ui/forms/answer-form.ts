import { redirect } from "react-router";

/** After a form the browser loads the next page with GET. */
export const SEE_OTHER = 303;

/** Answers a form whose work is done: the browser goes to `path`. */
export function seeOther(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return redirect(path, { status: SEE_OTHER, headers });
}
