import { expect, test } from "bun:test";
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
  const nonce = /<style nonce="([^"]+)">/.exec(html)?.[1] ?? "none";
  expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
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
