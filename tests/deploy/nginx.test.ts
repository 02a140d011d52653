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
  const servers = of("listen").length;
  expect(of("access_log")).toEqual(Array(servers).fill("/var/log/nginx/access.log called_it"));
  // A line of a lower level has the whole request.
  expect(of("error_log")).toEqual(Array(servers).fill("/var/log/nginx/error.log crit"));
});

test("nginx replaces every header that the product believes of a proxy", () => {
  const replaced = of("proxy_set_header").map((line) => line.split(/\s+/));
  expect(replaced).toContainEqual(["X-Forwarded-For", "$remote_addr"]);
  expect(replaced).toContainEqual(["X-Request-Id", "$request_id"]);
  expect(replaced).toContainEqual(["Traceparent", '""']);
});
