import { expect, test } from "bun:test";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import path from "node:path";
import * as v from "valibot";
import { providerOf } from "#src/money/payments/provider-of.ts";
import {
  certificateOf,
  findNames,
  followOutside,
  lookFromOutside,
  type Outside,
  OutsideFollower,
  readCertificateEnd,
} from "#src/operate/checks/look-outside.ts";
import { watchChecks } from "#src/operate/checks/watch-checks.ts";
import { createServer } from "#src/server.ts";
import { ownVariables } from "#src/settings/env.ts";
import { makeCertificates } from "#tests/engines/certificates.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { STRIPE_KEY, startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { afterFile, afterTest, makeFileFolder } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { type ProxyFault, startProxyBefore } from "#tests/support/wrong-proxy.ts";

const deps = await testDeps();
/** Serves the product. @returns its port. */
function serve(trustedProxies: string[]): number {
  const server = createServer({ ...deps, env: { ...deps.env, trustedProxies } });
  server.listen({ port: 0, hostname: "127.0.0.1" });
  afterFile(() => void server.stop(true));
  return server.server?.port ?? 0;
}
const named = serve(["127.0.0.1"]);
const unnamed = serve([]);
let port = named;
const proxy = await startProxyBefore(() => port);
const look = (publicUrl = proxy.url) => lookFromOutside({ ...deps, env: { ...deps.env, publicUrl } });

/** An address has no name, and http no certificate. */
const nothing = { names: "unknown", certificate: "unknown" };
const allWell = { ...nothing, address: { state: "ok", said: proxy.url }, cable: "ok", proxy: "ok" };
const unreached = { ...nothing, cable: "unknown", proxy: "unknown" };

const faults: [fault: ProxyFault, found: object][] = [
  [
    "drops Upgrade",
    {
      cable: {
        state: "refused",
        said: expect.stringMatching(/cable answers 404 where a socket should open/),
      },
    },
  ],
  ["hides addresses", { proxy: { state: "sharing", said: "The proxy 127.0.0.1 sends no X-Forwarded-For." } }],
  [
    "buffers",
    { proxy: { state: "buffering", said: expect.any(String), cure: expect.stringMatching(/buffering/) } },
  ],
  [
    "serves another page",
    { ...unreached, address: { state: "unreachable", said: expect.stringMatching(/answers 200, and not/) } },
  ],
];
test.each(faults)("a proxy that %s is found out, and is well once it does not", async (fault, found) => {
  proxy.goWrong(fault);
  expect(await look()).toMatchObject({ ...allWell, ...found });
  proxy.goWrong(null);
  expect(await look()).toMatchObject(allWell);
});

test("a proxy that TRUSTED_PROXIES does not name is told with its address; players who come without one are not", async () => {
  port = unnamed;
  const said = "TRUSTED_PROXIES does not name the proxy that requests come from: 127.0.0.1.";
  expect(await look()).toMatchObject({ ...allWell, proxy: { state: "sharing", said } });
  port = named;
  const direct = `http://127.0.0.1:${unnamed}`;
  expect(await look(direct)).toMatchObject({ ...allWell, address: { said: direct } });
});

test("nothing is said of what stands behind an address that is not reached, or behind one of another installation", async () => {
  expect(await look("http://127.0.0.1:1")).toMatchObject({ ...unreached, address: { state: "unreachable" } });
  const other = await testDeps();
  const env = { ...other.env, publicUrl: proxy.url };
  expect(await lookFromOutside({ ...other, env })).toMatchObject({ ...allWell, proxy: "unknown" });
});

test("what a look is told is told for one secret of this installation, once, and to nobody else", async () => {
  const up = async (secret: string) => {
    const answer = await fetch(`${proxy.url}/up`, { headers: { "x-called-it-look": secret } });
    return answer.text();
  };
  const secret = crypto.randomUUID();
  const usual = /^\{"up":true,"serverTime":"[^"]+"\}$/;
  for (const wrong of [secret, "", "*", "watch:turn"]) expect(await up(wrong)).toMatch(usual);
  await deps.redis.set(`look:${secret}`, "", "PX", 60_000);
  expect(await up(secret)).toBe('{"sharing":null}\nwhole');
  expect(await up(secret)).toMatch(usual);
});

test("with the address Stripe is asked where it sends its messages", async () => {
  const stripe = startStripeServer();
  afterTest(() => stripe.stop());
  stripe.sendTo([]);
  const settings = { secretKey: STRIPE_KEY, webhookSecrets: ["whsec_x"], apiUrl: stripe.url };
  const env = {
    ...deps.env,
    publicUrl: "https://127.0.0.1:1",
    payments: { provider: "stripe", ...settings } as const,
  };
  await lookFromOutside({ ...deps, env });
  await untilPasses(() => expect(providerOf(env).trouble()?.message).toMatch(/Stripe has no endpoint/));
});

test("only the process whose turn it is looks, and outside of production nobody does", async () => {
  let asked = 0;
  const site = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(`${(asked += 1)}`) });
  afterTest(() => site.stop(true));
  const env = { ...deps.env, production: true, publicUrl: site.url.origin };
  expect(followOutside({ ...deps, env })).toMatchObject({ address: "unknown", cable: "unknown" });
  const development = { ...env, production: false };
  expect(followOutside({ ...deps, env: development, hasTurn: true })).toMatchObject({
    address: "ok",
    cable: "ok",
  });
  expect(asked).toBe(0);
  const watch = watchChecks({ ...deps, env }, () => Promise.resolve());
  await waitFor("a look", () => asked > 0);
  await watch.stop();
});

const wrongAs = (state: string) => ({ state, said: "" });
const calm: Outside = { names: "ok", certificate: "ok", address: "ok", cable: "ok", proxy: "ok" };
const troubled: Outside = {
  names: wrongAs("missing"),
  certificate: wrongAs("ending"),
  address: wrongAs("unreachable"),
  cable: wrongAs("refused"),
  proxy: wrongAs("sharing"),
};
/** What is said after each of these looks. */
async function saidAfter(looks: readonly Outside[], file: string): Promise<Outside[]> {
  let next = calm;
  const follower = new OutsideFollower(() => Promise.resolve(next), file);
  const said = [];
  for (const found of looks) {
    next = found;
    await follower.lookNow();
    said.push(follower.read(false));
  }
  return said;
}
const newFile = () => path.join(makeFileFolder(), "reached");

test("what is wrong is said at the second look in a row, and is well at the next one", async () => {
  const said = await saidAfter([calm, troubled, troubled, calm], newFile());
  const unknown = Object.fromEntries(Object.keys(calm).map((part) => [part, "unknown"]));
  expect(said).toEqual([calm, v.parse(v.any(), unknown), troubled, calm]);
});

test("an address and a name count only where they were reached from this machine before, also before a restart", async () => {
  const file = newFile();
  const after = async (found: Outside) => (await saidAfter([found, found], file))[1];
  expect(await after(troubled)).toEqual({ ...troubled, address: "unknown", names: "unknown" });
  await saidAfter([calm], file);
  expect(await after(troubled)).toEqual(troubled);
});

/** A name server that answers each question with this code. */
async function nameServer(code: number): Promise<string> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  afterTest(() => void socket.close());
  socket.on("message", (question, { port: from, address }) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8180 + code, 2);
    socket.send(answer, from, address);
  });
  return `127.0.0.1:${socket.address().port}`;
}

test("a name server that does not know the public name, refuses or is silent is told with its address", async () => {
  const [ignorant, refusing] = [await nameServer(3), await nameServer(5)];
  const find = (server: string) => findNames("https://play.example.com", [server]);
  const said = (verb: string) => ({
    state: "missing",
    said: expect.stringMatching(
      new RegExp(`^The name server \\(127.*\\) ${verb} play.example.com \\(E[A-Z]+\\)\\.$`),
    ),
  });
  expect(await find(ignorant)).toEqual(said("does not know"));
  expect(await find(refusing)).toEqual(said("says nothing about"));
  expect(await find("127.0.0.1:1")).toEqual(said("says nothing about"));
  expect(await findNames("https://203.0.113.9", [ignorant])).toBe("unknown");
});

test("a certificate that ends within 14 days, or has ended, is said", () => {
  const endsIn = (days: number) => ({ endsAt: new Date(Date.now() + days * 86_400_000) });
  const ended = { error: "It has ended", hasEnded: true };
  const untrusted = { error: "self-signed", hasEnded: false };
  expect([endsIn(60), endsIn(13.5), ended, untrusted, null].map(certificateOf)).toEqual([
    "ok",
    { state: "ending", said: expect.stringMatching(/^It ends on \d{4}-.* UTC, in 13 days\.$/) },
    { state: "ended", said: "It has ended" },
    "unknown",
    "unknown",
  ]);
});

/** Serves a certificate, and asks for it in a process that trusts its authority. */
async function endOf({ ca, key, certificate }: { ca: string; key: string; certificate: string }) {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key: Bun.file(key), cert: Bun.file(certificate) },
    fetch: () => new Response(),
  });
  afterTest(() => site.stop(true));
  const module = path.join(import.meta.dir, "../../../src/operate/checks/look-outside.ts");
  const script = `import { readCertificateEnd } from "${module}";
    console.log(JSON.stringify(await readCertificateEnd("https://localhost:${site.port}")));`;
  const child = Bun.spawn([process.execPath, "-e", script], {
    env: { ...ownVariables(), NODE_EXTRA_CA_CERTS: ca },
  });
  return v.parse(v.unknown(), JSON.parse(await new Response(child.stdout).text()));
}

test("the end of a certificate is read from the server itself", async () => {
  const { dataDir: folder, remove } = makeDataFolder();
  afterTest(remove);
  const made = makeCertificates(folder);
  expect(await endOf(made)).toEqual({ endsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
  const file = (name: string) => path.join(folder, name);
  const sign = ["x509", "-req", "-in", file("server.csr"), "-days", "-1", "-extfile", file("names")];
  const by = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-out", file("old.pem")];
  Bun.spawnSync([requireProgram("openssl"), ...sign, ...by]);
  expect(await endOf({ ...made, certificate: file("old.pem") })).toMatchObject({ hasEnded: true });
  expect(await readCertificateEnd("http://127.0.0.1:1")).toBeNull();
  expect(await readCertificateEnd("https://127.0.0.1:1")).toMatchObject({ hasEnded: false });
});
