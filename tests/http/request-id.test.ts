import { expect, test } from "bun:test";
import { startWorker } from "#jobs/workers.ts";
import { createLog } from "#src/base/log.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startMailServer } from "../mail/mail-server.ts";

const mailServer = await startMailServer();
afterFile(() => mailServer.stop());
const silent = await testDeps({ SMTP_URL: mailServer.url, TRUSTED_PROXIES: "127.0.0.1" });
const lines: { msg: string; requestId?: string; path?: string }[] = [];
const log = createLog({ production: true, logLevel: "debug" }, "test", (line) =>
  lines.push(JSON.parse(line)),
);
const deps = { ...silent, log };
const player = await buildPlayer(deps);

/** A server that trusts what this machine sends, and one that does not. */
const origins = [deps, { ...deps, env: { ...deps.env, trustedProxies: [] } }].map((each) => {
  const server = createServer(each);
  server.listen({ port: 0, hostname: "127.0.0.1" });
  afterFile(() => server.stop(true));
  return `http://127.0.0.1:${server.server?.port}`;
});
const [trusting = "", cautious = ""] = origins;

const idOf = (response: Response) => String(response.headers.get("x-request-id"));
const ask = (origin: string, requestId: string) =>
  fetch(`${origin}/api/v1/nowhere`, { headers: { "x-request-id": requestId } });
const isOwn = /^[\da-f]{8}-[\da-f-]{27}$/;

test("a trusted proxy may name a request; what is not well-formed, or of anybody else, is replaced", async () => {
  const answer = await ask(trusting, "from-the-proxy.1");
  expect(idOf(answer)).toBe("from-the-proxy.1");
  expect(await answer.json()).toMatchObject({ requestId: "from-the-proxy.1" });
  for (const wrong of ["short", "a".repeat(65), "with space", "<script>1234", "semi;colon;x"])
    expect(idOf(await ask(trusting, wrong))).toMatch(isOwn);
  expect(idOf(await ask(cautious, "from-the-proxy.1"))).toMatch(isOwn);
});

test("of a path that is longer than any of ours, the log has the start", async () => {
  const path = `/api/v1/${"a".repeat(1_000)}`;
  const answer = await fetch(trusting + path);
  const line = lines.find(({ requestId }) => requestId === idOf(answer));
  expect(line?.path).toBe(path.slice(0, 300));
});

test("an error page shows the id of its request", async () => {
  const failing = createServer(deps);
  failing.get("/broken", () => {
    throw new Error("a bug");
  });
  const page = { headers: { accept: "text/html" } };
  const odd = await failing.handle(new Request("http://localhost:3000/sessions/none/%ff", page));
  expect([odd.status, await odd.text()]).toEqual([404, expect.stringContaining(idOf(odd))]);
});

/** Asks for a mail with a link to a new password. */
async function askForPassword(email: string | null, requestId: string): Promise<void> {
  const response = await fetch(`${trusting}/users/password`, {
    method: "POST",
    headers: {
      ...(await signInDirectly(deps, player)),
      origin: trusting,
      accept: "application/json",
      "content-type": "application/json",
      "x-request-id": requestId,
    },
    body: JSON.stringify({ user: { email } }),
  });
  expect(response.ok).toBe(true);
}

/** Does the waiting jobs of mails. */
async function sendMails(until: () => boolean): Promise<void> {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("sendMail", deps, connection);
  await waitFor("the mail", until);
  await worker.close();
  connection.disconnect();
}

test("a mail, its job and the lines of the log carry the id of the request that asked for it", async () => {
  await askForPassword(player.email, "password-request-1");
  const [job] = await deps.queues.byName.mails.getJobs(["waiting"]);
  expect(job?.opts.telemetry?.metadata).toContain('"requestId":"password-request-1"');
  await sendMails(() => mailServer.received.length > 0);
  expect(mailServer.received[0]?.text).toContain("X-Request-ID: password-request-1");
  const answered = lines.filter(({ msg }) => msg === "answered").map(({ requestId }) => requestId);
  expect(answered).toContain("password-request-1");
});

test("what goes wrong in a job is logged with the id of the request that added it", async () => {
  const other = await buildPlayer(deps);
  await askForPassword(other.email, "password-request-2");
  mailServer.refuseWith(550);
  const isReported = () => lines.some(({ msg }) => msg === "sending a mail failed");
  await sendMails(isReported);
  const failed = lines.find(({ msg }) => msg === "sending a mail failed");
  expect(failed?.requestId).toBe("password-request-2");
});
