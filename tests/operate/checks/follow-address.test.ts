import { expect, test } from "bun:test";
import path from "node:path";
import * as v from "valibot";
import {
  AddressFollower,
  type CertificateEnd,
  followAddress,
  readCertificateEnd,
} from "#src/operate/checks/follow-address.ts";
import { ownVariables } from "#src/settings/env.ts";
import { makeCertificates } from "#tests/engines/certificates.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const DAY_MS = 86_400_000;
const WRONG = "https://play.example.com does not answer this machine.";
const endsIn = (days: number): CertificateEnd => ({ endsAt: new Date(Date.now() + days * DAY_MS) });

/** What is said after each of these tries. */
async function saidAfter(tries: readonly { wrong?: string; certificate?: CertificateEnd }[]) {
  let next: { wrong: string | null; certificate: CertificateEnd } = { wrong: null, certificate: null };
  const follower = new AddressFollower(() => Promise.resolve(next));
  const said = [];
  for (const { wrong = null, certificate = null } of tries) {
    next = { wrong, certificate };
    await follower.tryNow();
    said.push(follower.look());
  }
  return said;
}

test("an address that was reached and is not any more is said at the second failure, and is well at the next answer", async () => {
  const said = await saidAfter([{}, { wrong: WRONG }, { wrong: WRONG }, {}]);
  const unreachable = { state: "unreachable", said: WRONG };
  expect(said.map(({ address }) => address)).toEqual(["ok", "ok", unreachable, "ok"]);
});

test("of an address that this machine has never reached nothing is known: players may reach it", async () => {
  const said = await saidAfter([{ wrong: WRONG }, { wrong: WRONG }, { wrong: WRONG }]);
  expect(said.map(({ address }) => address)).toEqual(["unknown", "unknown", "unknown"]);
});

test("a certificate that ends within 14 days, or has ended, is said, also where the address was never reached", async () => {
  const ended = { error: "It has ended", hasEnded: true };
  const untrusted = { error: "self-signed", hasEnded: false };
  const certificates = [endsIn(60), endsIn(13.5), ended, untrusted, null];
  const said = await saidAfter(certificates.map((certificate) => ({ wrong: WRONG, certificate })));
  expect(said.map(({ certificate }) => certificate)).toEqual([
    "ok",
    { state: "ending", said: expect.stringMatching(/^It ends on \d{4}-.* UTC, in 13 days\.$/) },
    { state: "ended", said: "It has ended" },
    "unknown",
    "unknown",
  ]);
});

test("outside of production nothing is tried", () => {
  const nowhere = { publicUrl: "http://127.0.0.1:1", production: false };
  expect(followAddress(nowhere)).toEqual({ address: "ok", certificate: "ok" });
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
  const module = path.join(import.meta.dir, "../../../src/operate/checks/follow-address.ts");
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
