import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { listWarnings } from "#src/settings/refuse-unsafe.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const { dataDir, remove } = makeDataFolder();
afterFile(remove);

test("a secret key that can be guessed is refused", () => {
  expect(() => readEnv({ DATA_DIR: dataDir, SECRET_KEY: "a".repeat(40) })).toThrow(
    /^SECRET_KEY can be guessed/,
  );
});

test("production is served over https, or on this machine only", () => {
  const folder = path.join(dataDir, "unsafe");
  const production = {
    NODE_ENV: "production",
    DATA_DIR: folder,
    SECRET_KEY: "0123456789abcdef0123456789abcdef",
  };
  const read = (variables: Record<string, string>) => () => readEnv({ ...production, ...variables });
  expect(read({ PUBLIC_URL: "http://called-it.example" })).toThrow(/^PUBLIC_URL must be https:/);
  expect(read({ HOST: "0.0.0.0" })).toThrow(/^PUBLIC_URL is not set, and HOST is 0\.0\.0\.0/);
  expect(existsSync(folder)).toBe(false);
  const good = [
    {},
    { PUBLIC_URL: "http://localhost:3000" },
    { HOST: "0.0.0.0", PUBLIC_URL: "https://called-it.example" },
  ];
  for (const variables of good) expect(read(variables)().production).toBe(true);
});

test("a start that others can reach is refused until NODE_ENV says what it is for", () => {
  const folder = path.join(dataDir, "unsaid");
  const read = (variables: Record<string, string>) => () => readEnv({ DATA_DIR: folder, ...variables });
  const open = [
    ...["0.0.0.0", "::", "203.0.113.8", "192.168.1.7", "my-laptop", "127.example.com"].map((HOST) => ({
      HOST,
    })),
    ...["https://called-it.example", "http://192.168.1.7:3000"].map((PUBLIC_URL) => ({ PUBLIC_URL })),
  ];
  for (const variables of open) {
    const [named = ""] = Object.values(variables);
    expect(read(variables)).toThrow(
      /^NODE_ENV is not set.*NODE_ENV=production\..*NODE_ENV=development.*demo's admin/,
    );
    expect(read(variables)).toThrow(named);
    expect(existsSync(folder)).toBe(false);
  }
  expect(read({ HOST: "0.0.0.0", DEMO: "off" })).not.toThrow("demo");
  const own = ["127.0.0.1", "::1", "127.9.9.9", "localhost", "::ffff:127.0.0.1"].map((HOST) => ({ HOST }));
  const said = open.map((variables) => ({ ...variables, NODE_ENV: "development" }));
  for (const variables of [...own, ...said]) expect(read(variables)().production).toBe(false);
});

test("a start outside of production that others can reach warns of the mails and the demo's admin", () => {
  const warningsOf = (variables: Record<string, string>) =>
    listWarnings(readEnv({ DATA_DIR: dataDir, NODE_ENV: "development", ...variables }));
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ HOST: "0.0.0.0" })).toEqual([
    expect.stringMatching(/on 0\.0\.0\.0.*\/dev\/mail.*demo's admin/),
  ]);
  expect(warningsOf({ PUBLIC_URL: "https://called-it.example", DEMO: "off" })).toEqual([
    expect.stringMatching(/at https:\/\/called-it\.example.*NODE_ENV=production/),
  ]);
});
