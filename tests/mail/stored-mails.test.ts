import { expect, test } from "bun:test";
import { mails } from "#db/schema/mails.ts";
import { deliverMail } from "#src/mail/deliver-mail.ts";
import { writeLetter } from "#src/mail/letter.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { createServer } from "#src/server.ts";
import { testWorld } from "#tests/support/world.ts";

const ORIGIN = "http://localhost:3000";

const { deps, db, build } = await testWorld();
const { id: userId } = await build.player();

async function store(subject: string): Promise<number> {
  const mailId = await writeMail(db, { kind: "unlock", recipient: "<ana>@example.test", userId });
  const link = { label: "Open <it>", url: `${ORIGIN}/users/unlock?a=1&b=2` };
  await deliverMail(deps, mailId, async () =>
    writeLetter({ to: "<ana>@example.test", subject, paragraphs: ["Hello <b>Ana</b>."], link }),
  );
  return mailId;
}

async function open(
  path: string,
  env = deps.env,
): Promise<{ status: number; html: string; headers: Headers }> {
  const request = new Request(ORIGIN + path, { headers: { accept: "text/html" } });
  const response = await createServer({ ...deps, env }).handle(request);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

test("without a mail server a mail is stored, and shown with its link", async () => {
  expect((await open("/dev/mail")).html).toContain("No mail yet");
  const id = await store("First & foremost");
  await store("Second");
  const { status, html, headers } = await open("/dev/mail");
  expect(status).toBe(200);
  expect(html.indexOf("Second")).toBeLessThan(html.indexOf("First &amp; foremost"));
  expect(html).toContain("Hello &lt;b&gt;Ana&lt;/b&gt;.");
  expect(html).toContain(`<a href="${ORIGIN}/users/unlock?a=1&amp;b=2">`);
  expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  expect(headers.get("cache-control")).toBe("no-store");

  const letter = await open(`/dev/mail/${id}`);
  expect(letter.status).toBe(200);
  expect(letter.html).toContain("Open &lt;it&gt;</a>");
  expect(letter.html).not.toContain("<b>Ana</b>");
});

test("with a mail server, and in production, stored mails are not shown", async () => {
  const id = await store("A secret");
  const elsewhere = [
    { ...deps.env, production: true },
    { ...deps.env, smtpUrl: "smtp://127.0.0.1:25" },
  ];
  for (const env of elsewhere) {
    for (const path of ["/dev/mail", `/dev/mail/${id}`]) {
      const { status, html } = await open(path, env);
      expect(status).toBe(404);
      expect(html).not.toContain("secret");
    }
  }
});

test("an unknown mail is not found", async () => {
  for (const path of ["/dev/mail/999999", "/dev/mail/nonsense", "/dev/mail/0"]) {
    expect((await open(path)).status).toBe(404);
  }
});

test("only the newest hundred letters are stored", async () => {
  for (let count = 0; count < 102; count += 1) await store(`Number ${count}`);
  const rows = await db.select({ kept: mails.kept }).from(mails);
  expect(rows.filter(({ kept }) => kept !== null)).toHaveLength(100);
  const { html } = await open("/dev/mail");
  expect(html).toContain("Number 101");
  expect(html).not.toContain("Number 1<");
});

test("another site's name that leads to this machine shows no mails", async () => {
  const statusAt = async (origin: string) =>
    (await createServer(deps).handle(new Request(`${origin}/dev/mail`, { headers: { accept: "text/html" } })))
      .status;
  for (const origin of [ORIGIN, "http://127.0.0.1:3000", "http://192.168.1.7:3000", "http://[::1]:3000"]) {
    expect([origin, await statusAt(origin)]).toEqual([origin, 200]);
  }
  for (const origin of ["http://evil.example:3000", "http://localhost.evil.example:3000"]) {
    expect([origin, await statusAt(origin)]).toEqual([origin, 404]);
  }
});
