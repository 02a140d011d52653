import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { writeLetter } from "#src/mail/letter.ts";
import { sendLetter } from "#src/mail/send-letter.ts";
import { HostileServer } from "#tests/support/hostile-server.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const letter = writeLetter({
  to: "ana@example.test",
  subject: "A subject",
  paragraphs: ["One."],
  link: { label: "Open", url: "https://called.example/" },
});

/** Greets, and then answers the first command with one line every 100 ms, for ever. */
function talkForEver(socket: Socket): void {
  socket.write("220 mail.example.test\r\n");
  socket.once("data", () => {
    const timer = setInterval(() => socket.write("250-MORE\r\n"), 100);
    socket.on("close", () => clearInterval(timer));
  });
}

test("a mail server that never stops talking is given up at the deadline, and the connection is closed", async () => {
  const server = await HostileServer.start(talkForEver);
  const smtpUrl = server.origin.replace("http:", "smtp:");
  const sending = sendLetter(letter, { smtpUrl, from: "a@example.test", id: "mail-1", timeoutMs: 1_500 });
  expect(await sending.catch((caught: unknown) => caught)).toBeInstanceOf(Error);
  await waitFor("the connection to be closed", () => server.openMax === 1 && server.open === 0);
});
