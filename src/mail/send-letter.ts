import { createTransport } from "nodemailer";
import type { Env } from "#src/settings/env.ts";
import type { Letter } from "./letter.ts";

/** A mail server that is slower than this is not there. Whoever sends holds the mail for longer: see deliverMail. */
const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 20_000;

/** Codes of nodemailer for what the server thinks of this mail, and not of us or of its own state. */
const aboutTheMail = new Set(["EENVELOPE", "EMESSAGE"]);

type Sending = { smtpUrl: string; from: string; id: string };

/**
 * Hands a letter to the mail server. Rejects unless the server has taken it.
 * @param id stands in the mail as its Message-ID: should it be sent twice, a mailbox can tell.
 */
export async function sendLetter(letter: Letter, { smtpUrl, from, id }: Sending): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      ...letter,
      from: { name: "Called It", address: from },
      messageId: `<${id}@${hostOf(from)}>`,
      // Asks out-of-office programs not to answer.
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } finally {
    transport.close();
  }
}

/** True where the server will refuse this mail every time it sees it. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return false;
  return aboutTheMail.has(String(error.code)) && Number(error.responseCode) >= 500;
}

/** The address that mails come from: the one that is set, or one at the host that people open. */
export function senderOf({ mailFrom, publicUrl }: Pick<Env, "mailFrom" | "publicUrl">): string {
  return mailFrom ?? `no-reply@${new URL(publicUrl).hostname}`;
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
