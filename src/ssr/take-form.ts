import { verifyForm } from "#src/users/refuse-forgery.ts";
import type { Visit } from "#src/users/visit.ts";

/**
 * The request as the routes' actions read it. Of a form it is checked first that it comes from a page of ours.
 * @throws Refusal 422 where it does not.
 */
export async function takeForm(request: Request, visit: Visit): Promise<Request> {
  if (request.method !== "POST") return request;
  const form = await request.formData();
  verifyForm(visit, form);
  return new Request(request.url, {
    method: "POST",
    body: form,
    headers: withoutBodyHeaders(request.headers),
  });
}

/** The copy has a type and a length of its own. */
function withoutBodyHeaders(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete("content-type");
  copy.delete("content-length");
  return copy;
}
