import { expect, test } from "bun:test";
import { settings, SettingsError } from "#src/settings/settings.ts";
import { findMisspelled, refuseUnknown } from "#src/settings/unknown-names.ts";

const ofOthers = ["PATH", "HOME", "HOSTNAME", "LOGNAME", "SHELL", "TERM", "PORTS", "POSTGRES_PASSWORD"];

test.each([
  ["WEB_CONCURENCY", "WEB_CONCURRENCY"],
  ["SMPT_URL", "SMTP_URL"],
  ["REDISURL", "REDIS_URL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["TRUSTD_PROXYES", "TRUSTED_PROXIES"],
  ["secret_key", "SECRET_KEY"],
])("%s in the environment is told, with the name that is meant: %s", (name, meant) => {
  expect(findMisspelled([name, ...ofOthers])).toEqual([`${name} is no setting: ${meant} is.`]);
});

test("settings and the names of other programs are not told", () => {
  expect(findMisspelled([...Object.keys(settings), ...ofOthers])).toEqual([]);
});

test("in the product's own file each name that is of no setting is refused, and what libraries read is not", () => {
  const fine = [...Object.keys(settings), "OTEL_EXPORTER_OTLP_HEADERS", "NODE_EXTRA_CA_CERTS", "TZ"];
  expect(() => refuseUnknown(fine)).not.toThrow();
  expect(() => refuseUnknown([...fine, "SMPT_URL", "LEVEL"])).toThrow(
    new SettingsError(
      "SMPT_URL is no setting: SMTP_URL is.\nLEVEL is no setting: deploy/settings.md has all. Leave it out.",
    ),
  );
});
