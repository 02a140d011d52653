import { expect, test } from "bun:test";
import { clientAddress } from "#src/http/client-address.ts";

const request = (forwarded?: string) =>
  new Request(
    "http://localhost/",
    forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } },
  );

test("X-Forwarded-For is ignored unless the connection comes from a trusted proxy", () => {
  expect(clientAddress(request("1.2.3.4"), "9.9.9.9", [])).toBe("9.9.9.9");
  expect(clientAddress(request("1.2.3.4"), "9.9.9.9", ["10.0.0.1"])).toBe("9.9.9.9");
});

test("behind trusted proxies the client is the last address that is not one of them", () => {
  const proxies = ["10.0.0.1", "10.0.0.2"];
  expect(clientAddress(request("6.6.6.6, 1.2.3.4, 10.0.0.2"), "10.0.0.1", proxies)).toBe("1.2.3.4");
  expect(clientAddress(request("10.0.0.2"), "10.0.0.1", proxies)).toBe("10.0.0.1");
  expect(clientAddress(request(), "10.0.0.1", proxies)).toBe("10.0.0.1");
  expect(clientAddress(request("::ffff:1.2.3.4"), "::ffff:10.0.0.1", proxies)).toBe("1.2.3.4");
});
