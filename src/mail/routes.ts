import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { readId } from "#src/http/read-id.ts";
import { nonceOf } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { type KeptLetter, listKeptLetters } from "./keep-letter.ts";
import { keptMailsPage } from "./kept-mails-page.ts";

/** The mails that were kept because there is no mail server. Where there is one, and in production, nothing is here. */
export function mailRoutes({ env, pool }: Pick<Deps, "env" | "pool">) {
  return new Elysia({ name: "mail" })
    .get("/dev/mail", async ({ request }) => {
      requireKept(env);
      return answerPage(keptMailsPage(await listKeptLetters(pool.db), nonceOf(request)));
    })
    .get("/dev/mail/:id", async ({ params }) => {
      requireKept(env);
      return answerPage(letterIn(await listKeptLetters(pool.db), readId(params.id)).html);
    });
}

function requireKept({ production, smtpUrl }: Env): void {
  if (production || smtpUrl !== null) throw notFound();
}

function letterIn(letters: readonly KeptLetter[], id: number): KeptLetter {
  const letter = letters.find((kept) => kept.id === id);
  if (letter === undefined) throw notFound();
  return letter;
}

function answerPage(html: string): Response {
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}
