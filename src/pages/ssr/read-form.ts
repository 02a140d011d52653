import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { FILE_LIMIT, FORM_LIMIT, readFormBody } from "#src/http/read-body.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { verifyToken } from "#src/people/sign-ins/refuse-forgery.ts";
import { storeFile } from "#src/people/storage/store-upload.ts";

/**
 * Reads a submitted form and returns the request for the route's action. Files in it are stored like direct uploads and
 * replaced by their signed ids, so an action is the same with and without JavaScript. A refused file stays in the form.
 * @param hasFile whether the page has a form that can carry a file.
 * @throws Refusal 400 for a form that cannot be read, 408 and 413 for one that is too slow or too large, 422 for one without
 *   this page's anti-forgery token.
 */
export async function readForm(
  deps: Deps,
  context: RequestContext,
  { authentication, hasFile }: { authentication: Authentication; hasFile: boolean },
): Promise<Request> {
  const { request } = context;
  if (request.method !== "POST") return request;
  // Only an account may store a file (announceUpload), so nobody else may send one.
  const mayStore = hasFile && authentication.viewer?.guest === false;
  const { bytes, token, parse } = await readFormBody(context, mayStore ? FILE_LIMIT : FORM_LIMIT);
  verifyToken(request, authentication, token);
  const form = await parse();
  if (!hasFile) return new Request(request.url, { method: "POST", body: bytes, headers: request.headers });
  await storeFiles(deps, authentication, form);
  return new Request(request.url, {
    method: "POST",
    body: form,
    headers: withoutBodyHeaders(request.headers),
  });
}

async function storeFiles(deps: Deps, authentication: Authentication, form: FormData): Promise<void> {
  for (const name of new Set(form.keys())) {
    const file = form.get(name);
    if (file === null || typeof file === "string" || file.size === 0) continue;
    try {
      form.set(name, await storeFile(deps, authentication, file));
    } catch (error) {
      // The action reports it beside the field.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** The headers without those of the body: the new request has its own type and length. */
function withoutBodyHeaders(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete("content-type");
  copy.delete("content-length");
  return copy;
}
