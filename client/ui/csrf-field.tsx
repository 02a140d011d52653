import { CSRF_PARAM } from "#src/http/contract.ts";
import { usePage } from "../base/page/context.ts";

/** The anti-forgery token of a form that is submitted without JavaScript. */
export function CsrfField() {
  return <input type="hidden" name={CSRF_PARAM} value={usePage().csrfToken} />;
}
