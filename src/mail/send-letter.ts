import { createTransport } from "nodemailer";
import { currentCause } from "#src/base/cause.ts";
import { site } from "#src/settings/contract.ts";
import type { Env } from "#src/settings/env.ts";
import type { Letter } from "./letter.ts";

/** A slower mail server counts as unreachable. */
const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;
/** For all of it, however often the server says something. deliverMail reserves a mail for longer than this. */
const SEND_TIMEOUT_MS = 60_000;

/** A mail server says a few lines to each command. */
const ANSWER_BYTES_MAX = 65_536;

/** Permanent errors about the address of the recipient (RFC 3463). X.1.7 and X.1.8 are about the sender's. */
const RECIPIENT_IS_WRONG = /^5\.1\.(?!7$|8$)\d+$/;

type SendOptions = { smtpUrl: string; from: string; id: string; timeoutMs?: number };

/** Hands a letter to the mail server. Rejects unless it is accepted. @param id becomes the Message-ID, by which a mailbox recognizes what was sent twice. */
export async function sendLetter(
  letter: Letter,
  { smtpUrl, from, id, timeoutMs = SEND_TIMEOUT_MS }: SendOptions,
): Promise<void> {
  const transport = transportTo(smtpUrl);
  const { requestId = null } = currentCause() ?? {};
  try {
    await transport.sendMail({
      ...letter,
      from: { name: site().name, address: from },
      signal: AbortSignal.timeout(timeoutMs),
      messageId: `<${id}@${hostOf(from)}>`,
      // Asks out-of-office programs not to answer.
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(requestId !== null && { "X-Request-Id": requestId }),
      },
    });
  } finally {
    transport.close();
  }
}

/** Connects to the mail server and signs in. @returns where it is. Rejects if it does not answer or refuses. */
export async function tryMailServer(smtpUrl: string): Promise<string> {
  const transport = transportTo(smtpUrl);
  try {
    await transport.verify();
    return new URL(smtpUrl).host;
  } finally {
    transport.close();
  }
}

function transportTo(url: string) {
  return createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxResponseSize: ANSWER_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** True if the recipient does not exist. All else passes: a limit of the sender, a policy, a list of senders, whatever the server calls it. */
export function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error) || Number(error.responseCode) < 500)
    return false;
  const said = "response" in error ? String(error.response) : "";
  const status = /^5\d\d[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(said)?.[1];
  if (status !== undefined) return RECIPIENT_IS_WRONG.test(status);
  // A server that gives no further status refuses at RCPT who it does not know.
  return "command" in error && error.command === "RCPT TO";
}

/** The sender address: MAIL_FROM, or no-reply@ the host of PUBLIC_URL. */
export function senderOf({ mailFrom, publicUrl }: Pick<Env, "mailFrom" | "publicUrl">): string {
  return mailFrom ?? `no-reply@${new URL(publicUrl).hostname}`;
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
