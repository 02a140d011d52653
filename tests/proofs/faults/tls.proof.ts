import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "#db/client.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { connectRedis } from "#src/base/redis.ts";
import { makeCertificates } from "#tests/engines/certificates.ts";
import { freePorts } from "#tests/engines/free-port.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { startNode } from "#tests/engines/redis-nodes.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";

const dataDir = makeFileFolder();
const { ca, otherCa, certificate, key } = makeCertificates(dataDir);
const postgres = await startPostgresEngine({ ssl: "on", ssl_cert_file: certificate, ssl_key_file: key });
afterFile(() => postgres.remove());
const [port = 0, tlsPort = 0] = freePorts(2);
const redis = await startNode(port, [
  `tls-port ${tlsPort}`,
  `tls-cert-file ${certificate}`,
  `tls-key-file ${key}`,
  "tls-auth-clients no",
]);
afterFile(() => redis.stop());

/** What the server says about the connection, or the error. */
async function askPostgres(host: string, parameters: string): Promise<unknown> {
  await using pool = connect(postgres.url.replace("127.0.0.1", host) + parameters, { poolSize: 1 });
  try {
    const rows: unknown[] = await pool.sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
    return [...rows];
  } catch (error) {
    return error;
  }
}

test("Postgres is used over TLS with a certificate for its name by the authority of the address, and refused otherwise", async () => {
  expect(await askPostgres("localhost", `?sslmode=verify-full&sslrootcert=${ca}`)).toEqual([{ ssl: true }]);
  const refused: [host: string, parameters: string, cure: string][] = [
    ["localhost", `?sslmode=verify-full&sslrootcert=${otherCa}`, "?sslrootcert=/path/ca.pem"],
    ["localhost", "?sslmode=verify-full", "?sslrootcert=/path/ca.pem"],
    ["127.0.0.1", `?sslmode=verify-full&sslrootcert=${ca}`, "a name that the certificate has"],
  ];
  for (const [host, parameters, cure] of refused) {
    const error = await askPostgres(host, parameters);
    expect(String(error)).toContain(cure);
    expect(isDatabaseAway(error)).toBe(true);
  }
});

test("Redis is used over TLS with the authority of the address, and with another one it is away and the process says why", async () => {
  const good = connectRedis(`rediss://localhost:${tlsPort}/0?sslrootcert=${ca}`, "commands");
  await once(good, "ready");
  expect(await good.ping()).toBe("PONG");
  good.disconnect();
  const warned = once(process, "warning");
  const bad = connectRedis(`rediss://localhost:${tlsPort}/0?sslrootcert=${otherCa}`, "commands");
  expect(String(await warned)).toContain("?sslrootcert=/path/ca.pem");
  expect(await bad.ping().catch(() => "refused")).toBe("refused");
  bad.disconnect();
});
