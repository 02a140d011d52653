import type { Readable } from "node:stream";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** A mail as the server received it. */
export type ReceivedMail = { from: string; to: string[]; text: string };

/** A real mail server on this machine that records the mails it receives. */
export type MailServer = {
  url: string;
  /** The accepted mails, in order. */
  received: ReceivedMail[];
  /** The number of mails that were sent to it, accepted or not. */
  tries: () => number;
  /** Refuses all further mails with this code, after their text unless another command is given; null accepts them again. */
  refuseWith: (code: number | null, how?: { at?: Command; text?: string }) => void;
  /** Reads further mails, but does not answer them until `release`. */
  hold: () => { release: () => void };
  stop: () => Promise<void>;
};

type Command = "MAIL FROM" | "RCPT TO" | "DATA";

/** Starts a mail server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let tries = 0;
  let refusal: { at: Command; error: Error } | null = null;
  const refusalAt = (at: Command) => (refusal?.at === at ? refusal.error : null);
  let held: Promise<void> = Promise.resolve();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onMailFrom: (_address, _session, answer) => answer(refusalAt("MAIL FROM")),
    onRcptTo: (_address, _session, answer) => answer(refusalAt("RCPT TO")),
    onData: (stream, session, answer) => {
      tries += 1;
      void Promise.all([textOf(stream), held]).then(([text]) => {
        const error = refusalAt("DATA");
        if (error !== null) return answer(error);
        received.push({ ...envelopeOf(session), text });
        return answer(null);
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    tries: () => tries,
    refuseWith: (code, { at = "DATA", text = "not today" } = {}) => {
      refusal = code === null ? null : { at, error: Object.assign(new Error(text), { responseCode: code }) };
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return { release: resolve };
    },
    stop: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}

function envelopeOf({ envelope }: SMTPServerSession): Omit<ReceivedMail, "text"> {
  return {
    from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
  };
}

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
