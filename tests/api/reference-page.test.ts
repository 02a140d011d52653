import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chapters, allEndpoints } from "#src/api/all-endpoints.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);
const page = await server.handle(
  new Request("http://localhost:3000/api", { headers: { accept: "text/html" } }),
);
const html = await page.text();

test("the reference is public, has no script and loads files only from this server", () => {
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).not.toContain("<script");
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  expect(addresses.filter((address) => !/^(\/|#)/.test(address))).toEqual([]);
  const style = /<style>([^<]+)<\/style>/.exec(html)?.[1] ?? "none";
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
});

test("every chapter and endpoint is in it once, with its audience, an example and its errors", () => {
  for (const { title } of chapters) expect(html).toContain(`<h2>${title}</h2>`);
  for (const { name, endpoint } of allEndpoints) {
    const [, section = "", ...more] = html.split(`id="${name}"`);
    const [text = ""] = section.split("</details>");
    expect({ name, more: more.length }).toEqual({ name, more: 0 });
    expect(text).toContain("<b>For</b>");
    expect(text).toContain(`<pre tabindex="0">${endpoint.method} `);
    expect(text).toContain("<h3>Errors</h3>");
    for (const code of Object.keys(endpoint.refusals ?? {}))
      expect(text.replaceAll("<wbr>", "")).toContain(code);
  }
});

test.each(["/api", "/api/openapi.json"])(
  "%s is made once: the same bytes, compressed, or 304",
  async (address) => {
    const ask = (headers: Record<string, string>) =>
      server.handle(new Request(`http://localhost:3000${address}`, { headers }));
    const plain = await ask({});
    const text = await plain.text();
    const etag = plain.headers.get("etag") ?? "";
    for (const [encoding, decompress] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const answer = await ask({ "accept-encoding": encoding });
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("etag")).toBe(etag);
      expect(decompress(await answer.arrayBuffer()).toString()).toBe(text);
    }
    const known = await ask({ "if-none-match": etag });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const policy = (answer: Response) =>
      answer.headers.get("content-security-policy")?.replaceAll(/'nonce-[^']+'/g, "");
    expect(policy(known)).toBe(policy(plain) ?? "none");
  },
);
