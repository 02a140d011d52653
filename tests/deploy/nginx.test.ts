import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";

const text = readFileSync(path.join(import.meta.dir, "../../deploy/nginx/called-it.conf"), "utf8");
/** The directives of this name, without their semicolons. */
const of = (name: string) =>
  [...text.matchAll(new RegExp(`^ *${name}\\s+([^;{]*);`, "gm"))].map(([, rest = ""]) => rest.trim());

test("nginx logs no query and no referrer: links in mails carry secrets there", () => {
  const [format = "", ...others] = [...text.matchAll(/^log_format [^;]+;/gm)].map(([all]) => all);
  expect(others).toEqual([]);
  const variables = [...format.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name);
  const withQueries = [
    "request",
    "request_uri",
    "args",
    "query_string",
    "http_referer",
    "http_cookie",
    "uri",
  ];
  expect(variables.filter((name) => withQueries.includes(name))).toEqual([]);
  expect(variables).toContain("path_alone");
  const servers = of("server_name").length;
  expect(of("access_log")).toEqual(Array(servers).fill("/var/log/nginx/access.log called_it"));
  // A line of a lower level has the whole request.
  expect(of("error_log")).toEqual(Array(servers).fill("/var/log/nginx/error.log crit"));
});

test("nginx listens by IPv4 and by IPv6", () => {
  expect(of("listen")).toEqual(["80", "[::]:80", "443 ssl http2", "[::]:443 ssl http2"]);
});

test("nginx replaces every header that the product believes of a proxy", () => {
  const replaced = of("proxy_set_header").map((line) => line.split(/\s+/));
  expect(replaced).toContainEqual(["X-Forwarded-For", "$remote_addr"]);
  expect(replaced).toContainEqual(["X-Request-Id", "$request_id"]);
  expect(replaced).toContainEqual(["Traceparent", '""']);
});

test("nginx speaks TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers alone", () => {
  expect(of("ssl_protocols")).toEqual(["TLSv1.2 TLSv1.3"]);
  const [ciphers = ""] = of("ssl_ciphers");
  expect(ciphers.split(":").filter((name) => !/^ECDHE-.*(GCM|POLY1305)/.test(name))).toEqual([]);
});

test("over http nginx redirects browsers, and refuses programs, whose tokens would go unencrypted", () => {
  const [plain = ""] = /^server \{\n {4}listen 80;[\s\S]*?^\}$/m.exec(text) ?? [];
  const [, pattern = ""] = /location ~ (\S+) \{\n[^}]*return 403/.exec(plain) ?? [];
  for (const [path, refused] of [
    ["/api/v1/events/7", true],
    ["/cable", true],
    ["/", false],
    ["/api", false],
    ["/sessions/friday", false],
  ] as const)
    expect([path, new RegExp(pattern).test(path)]).toEqual([path, refused]);
  expect(plain).toContain("return 301 https://$server_name$request_uri;");
});
