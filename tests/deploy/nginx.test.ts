import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";

const text = readFileSync(path.join(import.meta.dir, "../../deploy/nginx/called-it.conf"), "utf8");
/** The directives of this name, without their semicolons. */
const of = (name: string) =>
  [...text.matchAll(new RegExp(`^ *${name}\\s+([^;{]*);`, "gm"))].map(([, rest = ""]) => rest.trim());

test("nginx listens by IPv4 and by IPv6", () => {
  expect(of("listen")).toEqual(["80", "[::]:80", "443 ssl http2", "[::]:443 ssl http2"]);
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
