import { expect, test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { makeCertificate } from "#tests/proofs/engines/nginx.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

// The product as on several machines, behind nginx with TLS. It runs in a process that trusts the certificate.
const WITHIN_MS = 7_200_000;

test(
  "the journeys of a show pass through several machines, and nothing is lost when their parts are killed under load",
  async () => {
    const folder = makeFileFolder();
    const { certificate } = makeCertificate(folder);
    const child = Bun.spawn([process.execPath, "tests/proofs/machines/prove.ts", folder], {
      env: { ...ownVariables(), NODE_EXTRA_CA_CERTS: certificate },
      stdout: "inherit",
      stderr: "inherit",
    });
    expect(await child.exited).toBe(0);
  },
  WITHIN_MS,
);
