import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { writeLetter } from "#src/mail/letter.ts";
import { sendLetter } from "#src/mail/send-letter.ts";
import { flood, HostileServer } from "#tests/support/hostile-server.ts";
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

const say = (server: HostileServer, timeoutMs: number) =>
  sendLetter(letter, {
    smtpUrl: server.origin.replace("http:", "smtp:"),
    from: "a@example.test",
    id: "mail-1",
    timeoutMs,
  }).catch((caught: unknown) => caught);

test.each([
  ["a line that never ends", "220 ", "x".repeat(65_536)],
  ["an answer of lines that never ends", "220-mail\r\n", "220-more\r\n".repeat(6_000)],
  ["answers that nobody has asked for", "220 mail\r\n", "220 more\r\n".repeat(6_000)],
])(
  "of a mail server that sends %s little is read, and the connection is closed",
  async (_what, start, part) => {
    const server = await HostileServer.start((socket) => {
      socket.write(start);
      flood(socket, part);
    });
    await say(server, 60_000);
    await waitFor("the connection to be closed", () => server.openMax === 1 && server.open === 0);
    expect(server.bytesWritten).toBeLessThan(64_000_000);
  },
);

test("a mail server that never stops talking is given up at the deadline, and the connection is closed", async () => {
  const server = await HostileServer.start(talkForEver);
  expect(await say(server, 1_500)).toBeInstanceOf(Error);
  await waitFor("the connection to be closed", () => server.openMax === 1 && server.open === 0);
});
