import { isIP } from "node:net";
import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { readId } from "#src/http/read-id.ts";
import { nonceOf } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { type StoredLetter, listStoredLetters } from "./stored-letters.ts";
import { storedMailsPage } from "./stored-mails-page.ts";

/** Shows the mails that were stored because there is no mail server. With one, and in production, the answer is 404. */
export function mailRoutes({ env, pool }: Pick<Deps, "env" | "pool">) {
  return new Elysia({ name: "mail" })
    .get("/dev/mail", async ({ request }) => {
      requireNoMailServer(env, request);
      return answerPage(storedMailsPage(await listStoredLetters(pool.db), nonceOf(request)));
    })
    .get("/dev/mail/:id", async ({ params, request }) => {
      requireNoMailServer(env, request);
      return answerPage(letterIn(await listStoredLetters(pool.db), readId(params.id)).html);
    });
}

/**
 * Only under the product's host name or an address: with another name that resolves to this machine, a page of another site
 * could read the mails of the person who develops here (DNS rebinding).
 */
function requireNoMailServer({ production, smtpUrl, publicUrl }: Env, request: Request): void {
  const { hostname } = new URL(request.url);
  const isOwn = hostname === "localhost" || hostname === new URL(publicUrl).hostname || isAddress(hostname);
  if (production || smtpUrl !== null || !isOwn) throw notFound();
}

const isAddress = (hostname: string) => isIP(hostname.replaceAll(/^\[|\]$/g, "")) !== 0;

function letterIn(letters: readonly StoredLetter[], id: number): StoredLetter {
  const letter = letters.find((stored) => stored.id === id);
  if (letter === undefined) throw notFound();
  return letter;
}

function answerPage(html: string): Response {
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}
