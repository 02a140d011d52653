import { expect, test } from "bun:test";
import * as v from "valibot";
import { freePort } from "#tests/engines/free-port.ts";
import { makeCertificate, startNginx } from "#tests/proofs/engines/nginx.ts";
import { afterFile, makeFileFolder } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const dataDir = makeFileFolder();
const OF_PRODUCT = "max-age=1";
/** Answers with the headers that it got. */
const upstream = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ headers }) =>
    Response.json(Object.fromEntries(headers), { headers: { "strict-transport-security": OF_PRODUCT } }),
});
afterFile(() => void upstream.stop(true));
const certificate = makeCertificate(dataDir);
const upstreams = [upstream.port ?? 0];
const nginx = await startNginx({ port: freePort(), upstreams, certificate });
afterFile(() => nginx.stop());
const cut = await startNginx({ port: freePort(), upstreams: [freePort()], certificate });
afterFile(() => cut.stop());

const SECRET = "hush-hush-hush";
const link = `/users/password/edit?reset_password_token=${SECRET}`;
const sent = {
  referer: `https://localhost${link}`,
  "x-request-id": "of-the-client-1",
  traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  "x-forwarded-for": "6.6.6.6",
};
const open = (url: string) => fetch(url, { headers: sent, tls: { rejectUnauthorized: false } });
const headersGot = v.record(v.string(), v.string());

test("neither nginx's log nor its errors have a query or a referrer", async () => {
  for (const { url } of [nginx, cut]) await open(`${url}${link}`);
  for (const { readLogs } of [nginx, cut]) {
    await waitFor("the line", () => readLogs().includes('"path":"/users/password/edit"'));
    expect(readLogs()).not.toContain(SECRET);
    expect(readLogs()).not.toContain("reset_password_token");
  }
});

test("the product gets an id, an address and no span from nginx, whatever the client has sent", async () => {
  const got = v.parse(headersGot, await (await open(`${nginx.url}/`)).json());
  expect(got["x-request-id"]).toMatch(/^[\da-f]{32}$/);
  expect(got["x-forwarded-for"]).toBe("127.0.0.1");
  expect(got["traceparent"]).toBeUndefined();
  expect(nginx.readLogs()).toContain(`"requestId":"${got["x-request-id"]}"`);
});

test("what nginx answers by itself has the headers of all answers, and those of the product stay", async () => {
  const passed = await open(`${nginx.url}/`);
  expect(passed.headers.get("strict-transport-security")).toBe(OF_PRODUCT);
  const own = await open(`${cut.url}/`);
  expect([own.status, own.headers.get("retry-after"), own.headers.get("refresh")]).toEqual([503, "1", "3"]);
  const tooLarge = await fetch(`${nginx.url}/`, {
    method: "POST",
    body: new Uint8Array(9 * 1_048_576),
    tls: { rejectUnauthorized: false },
  });
  for (const { headers } of [own, tooLarge]) {
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
  }
});
