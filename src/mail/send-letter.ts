import { createTransport } from "nodemailer";
import { currentCause } from "#src/base/cause.ts";
import type { Env } from "#src/settings/env.ts";
import type { Letter } from "./letter.ts";

/** A slower mail server counts as unreachable. */
const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;
/** For all of it, however often the server says something. deliverMail reserves a mail for longer than this. */
const SEND_TIMEOUT_MS = 60_000;

/** nodemailer's codes for errors of this mail itself, and not of the connection or the server. */
const messageErrorCodes = new Set(["EENVELOPE", "EMESSAGE"]);

type SendOptions = { smtpUrl: string; from: string; id: string; timeoutMs?: number };

/**
 * Hands a letter to the mail server. Rejects unless the server accepts it. It carries the id of the request that asked for it, if
 * that is known.
 * @param id becomes the Message-ID, by which a mailbox recognizes a mail that was sent twice.
 * @param timeoutMs after which the connection is closed.
 */
export async function sendLetter(
  letter: Letter,
  { smtpUrl, from, id, timeoutMs = SEND_TIMEOUT_MS }: SendOptions,
): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { requestId = null } = currentCause() ?? {};
  try {
    await transport.sendMail({
      ...letter,
      from: { name: "Called It", address: from },
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

/** True if the server would refuse this mail on every attempt. */
export function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return false;
  return messageErrorCodes.has(String(error.code)) && Number(error.responseCode) >= 500;
}

/** The sender address: MAIL_FROM, or no-reply@ the host of PUBLIC_URL. */
export function senderOf({ mailFrom, publicUrl }: Pick<Env, "mailFrom" | "publicUrl">): string {
  return mailFrom ?? `no-reply@${new URL(publicUrl).hostname}`;
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
