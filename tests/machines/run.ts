import { ownVariables } from "#src/settings/env.ts";
import { makeCertificate } from "#tests/engines/nginx.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

// bun run machines [journeys|faults] [filter ...]: the product as on several machines, behind nginx with TLS. All journeys pass
// through it, and its parts are killed under load. The proof runs in a process that trusts the certificate.
const { dataDir: folder, remove } = makeDataFolder();
const { certificate } = makeCertificate(folder);
const child = Bun.spawn([process.execPath, "tests/machines/prove.ts", folder, ...process.argv.slice(2)], {
  env: { ...ownVariables(), NODE_EXTRA_CA_CERTS: certificate },
  stdout: "inherit",
  stderr: "inherit",
});
process.exitCode = await child.exited;
remove();
