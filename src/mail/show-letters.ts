import { isIP } from "node:net";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { site } from "#src/settings/contract.ts";
import type { Env } from "#src/settings/env.ts";
import { listStoredLetters, type StoredLetter } from "./stored-letters.ts";

/** Shows the mails that were stored because there is no mail server. With one, and in production, the answer is 404. */
export async function showLetters(
  { env, pool }: Deps,
  { request, nonce }: RequestContext,
): Promise<Response> {
  requireNoMailServer(env, request);
  return answerPage(storedMailsPage(await listStoredLetters(pool.db), nonce));
}

export async function showLetter({ env, pool }: Deps, request: Request, letterId: number): Promise<Response> {
  requireNoMailServer(env, request);
  const letter = (await listStoredLetters(pool.db)).find(({ id }) => id === letterId);
  if (letter === undefined) throw notFound();
  return answerPage(letter.html);
}

/** Only under the product's host name or an address: under a name of its own another site could read these mails (DNS rebinding). */
function requireNoMailServer({ production, smtpUrl, publicUrl }: Env, request: Request): void {
  const { hostname } = new URL(request.url);
  const isAddress = isIP(hostname.replaceAll(/^\[|\]$/g, "")) !== 0;
  const isOwn = isAddress || ["localhost", new URL(publicUrl).hostname].includes(hostname);
  if (production || smtpUrl !== null || !isOwn) throw notFound();
}

function answerPage(html: string): Response {
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** The page with the stored letters, for running the product without a mail server. */
function storedMailsPage(letters: readonly StoredLetter[], nonce: string): string {
  const articles = letters.length === 0 ? "<p>No mail yet.</p>" : letters.map(article).join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails, ${Bun.escapeHTML(site().name)}</title><style nonce="${nonce}">
:root{color-scheme:light dark;--card:light-dark(#fff,#1b1f23);--ground:light-dark(#eaece8,#0d0f11);--dim:light-dark(#5a6168,#9aa3ab)}
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;padding:24px 16px;max-width:640px;background:var(--ground)}
h1{font-size:1.5rem;margin:0 0 4px}h2{font-size:1.0625rem;margin:0}article{background:var(--card);border-radius:12px;padding:16px 20px;margin:16px 0}
small,.dim{color:var(--dim);font-size:.875rem}pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:12px 0}a{color:inherit}
</style></head><body><main><h1>Mails</h1>
<p class="dim">No mail server is set, so mails are kept here instead. The newest stands first. <a href="/users/sign_in">Sign in</a></p>
${articles}
</main></body></html>`;
}

function article({ id, to, subject, text, createdAt }: StoredLetter): string {
  const at = createdAt.toISOString();
  return `<article><h2>${Bun.escapeHTML(subject)}</h2>
<small>To ${Bun.escapeHTML(to)}, <time datetime="${at}">${at.slice(0, 19).replace("T", " ")} UTC</time>,
<a href="/dev/mail/${id}">as HTML</a></small>
<pre>${Bun.escapeHTML(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)}</pre></article>`;
}
