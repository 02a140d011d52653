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
  /** Refuses all further mails with this code; null accepts them again. */
  refuseWith: (code: number | null) => void;
  /** Reads further mails, but does not answer them until `release`. */
  hold: () => { release: () => void };
  stop: () => Promise<void>;
};

/** Starts a mail server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let tries = 0;
  let refusal: number | null = null;
  let held: Promise<void> = Promise.resolve();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, session, answer) => {
      tries += 1;
      void Promise.all([textOf(stream), held]).then(([text]) => {
        if (refusal !== null) return answer(Object.assign(new Error("not today"), { responseCode: refusal }));
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
    refuseWith: (code) => {
      refusal = code;
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
