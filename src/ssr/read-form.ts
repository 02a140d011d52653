import type { Deps } from "#src/base/deps.ts";
import { malformed, Refusal } from "#src/base/refusal.ts";
import { carriesFile } from "#src/http/page-request.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { verifyForm } from "#src/sign-ins/refuse-forgery.ts";
import { storeFile } from "#src/storage/store-file.ts";

/**
 * The request as the routes' actions read it. Of a form it is checked first that it comes from a page of ours. A file in it
 * is kept, and its signed id stands in its place, as if a script had sent it before; one that is refused stays as it is.
 * @throws Refusal 400 where it cannot be read, 422 where the form does not come from a page of ours.
 */
export async function readForm(
  deps: Deps,
  request: Request,
  authentication: Authentication,
): Promise<Request> {
  if (request.method !== "POST") return request;
  const form = await request.formData().catch(() => {
    throw malformed("The form cannot be read.");
  });
  verifyForm(authentication, form);
  if (carriesFile(request)) await keepFiles(deps, authentication, form);
  return new Request(request.url, {
    method: "POST",
    body: form,
    headers: withoutBodyHeaders(request.headers),
  });
}

async function keepFiles(deps: Deps, authentication: Authentication, form: FormData): Promise<void> {
  for (const name of new Set(form.keys())) {
    const file = form.get(name);
    if (file === null || typeof file === "string" || file.size === 0) continue;
    try {
      form.set(name, await storeFile(deps, authentication, file));
    } catch (error) {
      // The action says so where the person can read it.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** The copy has a type and a length of its own. */
function withoutBodyHeaders(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete("content-type");
  copy.delete("content-length");
  return copy;
}
