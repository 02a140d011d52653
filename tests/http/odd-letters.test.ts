import { expect, test } from "bun:test";
import { allEndpoints } from "#src/api/all-endpoints.ts";
import { camelCase } from "#src/http/contract.ts";
import { partsOf } from "#src/http/endpoint.ts";
import { type Fixture, openFixture } from "#tests/api/fixture.ts";
import { sendRequest } from "#tests/api/send-request.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { pageAccess } from "./page-access.ts";

const BUSY = 503;

// NUL, line ends, invalid UTF-8, a lone surrogate, overlong forms of "/" and ".", broken escapes, and a long part.
const ODD_PARTS = [
  "%00",
  "a%00b",
  "%0d%0a",
  "%ff",
  "%ed%a0%80",
  "%c0%af",
  "%c0%ae%c0%ae",
  "%",
  "%zz",
  "%u0000",
];
const QUERY_NAMES = [
  "page",
  "per_page",
  "q",
  "search",
  "sid",
  "payment",
  "return_to",
  "token",
  "state",
  "since",
  "stream",
];
const TOKEN_NAMES = [
  "reset_password_token",
  "confirmation_token",
  "unlock_token",
  "email",
  "format",
  "sort",
  "kind",
];

/** Of the odd parts, those with which an address is asked. The addresses take turns, so each day all parts meet many of them. */
const PER_ADDRESS = roundsOf({ daily: 2, many: ODD_PARTS.length });

const fixture: Fixture = await openFixture({ RATE_LIMITS: "off" });
afterFile(() => fixture.deps.close());

/** The path once for each of its parameters, with this part in its place. */
function withPart(path: string, odd: string): string[] {
  const parts = path.split("/");
  const places = parts.flatMap((part, index) => (part.startsWith(":") || part === "*" ? [index] : []));
  return places.map((place) =>
    parts
      .map((part, index) => {
        if (index === place) return odd;
        return part.startsWith(":") || part === "*" ? "1" : part;
      })
      .join("/"),
  );
}

function partsFor(address: number): string[] {
  return [...ODD_PARTS, ...ODD_PARTS].slice((address * PER_ADDRESS) % ODD_PARTS.length).slice(0, PER_ADDRESS);
}

const withoutParts = (path: string) => path.replaceAll(/:\w+|\*/g, "1");

async function statusOf(method: string, address: string, accept: string): Promise<number> {
  const body = ["GET", "DELETE"].includes(method) ? {} : { body: "{}" };
  const headers = {
    ...fixture.admin.browser.credentials(),
    accept,
    origin: "http://localhost:3000",
    "content-type": "application/json",
  };
  const request = new Request(`http://localhost:3000${address}`, { method, headers, ...body });
  return (await sendRequest(fixture.server, request)).status;
}

async function failuresOf(addresses: [method: string, address: string][], accept: string): Promise<string[]> {
  const failures: string[] = [];
  for (const [method, address] of addresses) {
    let status = await statusOf(method, address, accept);
    // A busy machine draws the preview too slowly, says so, and draws it the next time.
    while (status === BUSY) status = await statusOf(method, address, accept);
    if (status >= 500) failures.push(`${method} ${address} ${status}`);
  }
  return failures;
}

test("no odd letter in the path of an endpoint causes a 5xx, and none changes anything", async () => {
  const addresses = allEndpoints
    .filter(({ endpoint }) => !endpoint.route.includes("sign_out"))
    .flatMap(({ endpoint }, index) => {
      const { method, path } = partsOf(endpoint);
      return partsFor(index).flatMap((odd) =>
        withPart(path, odd).map((address): [string, string] => [method, address]),
      );
    });
  expect(addresses.length).toBeGreaterThan(allEndpoints.length);
  const before = await digestTables(fixture.deps.pool.db);
  expect(await failuresOf(addresses, "application/json")).toEqual([]);
  expect(await digestTables(fixture.deps.pool.db)).toEqual(before);
});

test("no odd letter in a query causes a 5xx", async () => {
  const addresses = allEndpoints
    .filter(({ endpoint }) => endpoint.route.startsWith("GET "))
    .flatMap(({ endpoint: { route, query = {} } }, index) =>
      partsFor(index).map((odd): [string, string] => {
        const names = new Set([...QUERY_NAMES, ...Object.keys(query)].map(camelCase));
        return [
          "GET",
          `${withoutParts(partsOf({ route }).path)}?${Array.from(names, (name) => `${name}=${odd}`).join("&")}&${odd}=1`,
        ];
      }),
    );
  expect(await failuresOf(addresses, "application/json")).toEqual([]);
});

test("no odd letter in the address of a page causes a 5xx", async () => {
  const pages = Object.keys(pageAccess).flatMap((line) => {
    const [method = "", path = ""] = line.split(" ");
    return method === "GET" ? [path] : [];
  });
  const addresses = pages.flatMap((path, index) =>
    partsFor(index).flatMap((odd) => {
      const query = [...QUERY_NAMES, ...TOKEN_NAMES].map((name) => `${name}=${odd}`).join("&");
      return [
        ...withPart(path, odd),
        `${withoutParts(path)}?${query}`,
        `${path.replaceAll(/:\w+/g, "1")}/${odd}`,
      ];
    }),
  );
  expect(addresses.length).toBeGreaterThan(pages.length * PER_ADDRESS);
  expect(
    await failuresOf(
      addresses.map((address) => ["GET", address]),
      "text/html",
    ),
  ).toEqual([]);
});

test("a text that the database cannot store is the name of nothing", async () => {
  const unknown = [
    "/api/v1/payments/%00",
    "/api/v1/payments/a%00b",
    "/api/v1/sessions/%ff",
    "/up/%ff",
    "/checkout/%00",
    "/%ff",
  ];
  for (const address of unknown) {
    for (const accept of ["application/json", "text/html"]) {
      expect([address, await statusOf("GET", address, accept)]).toEqual([address, 404]);
    }
  }
});
