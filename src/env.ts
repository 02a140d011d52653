import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { makeDataDir, placeOf } from "#db/embedded/place.ts";
import { readStorageAddress, type StorageAddress } from "./storage-address.ts";

const PORT_MAX = 65_535;
const SECRET_LENGTH_MIN = 32;
const SECRET_BYTES = 48;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const onOff = v.pipe(
  v.picklist(["on", "off", "true", "false", "1", "0"]),
  v.transform((word) => ["on", "true", "1"].includes(word)),
);
const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));
const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\//), v.url());
const commaList = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").map((item) => item.trim())),
);

/** A setting that is unset, or set to "", takes its default. */
const shapes = {
  PORT: v.optional(v.pipe(wholeNumber, v.maxValue(PORT_MAX)), "3000"),
  HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]+$/)), "127.0.0.1"),
  DATA_DIR: v.optional(v.string(), ".data"),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//), v.url())),
  REDIS_URL: v.optional(v.pipe(v.string(), v.regex(/^(rediss?:\/\/|unix:\/)/))),
  SECRET_KEY: v.optional(v.pipe(v.string(), v.minLength(SECRET_LENGTH_MIN))),
  PUBLIC_URL: v.optional(webAddress),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//), v.url())),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email())),
  STORAGE: v.optional(v.pipe(v.string(), v.regex(/^(disk|s3:\/\/.+)$/)), "disk"),
  AWS_ACCESS_KEY_ID: v.optional(v.string()),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
  LOG_LEVEL: v.optional(v.picklist(logLevels), "info"),
  TRUSTED_PROXIES: v.optional(commaList),
  RATE_LIMITS: v.optional(onOff, "on"),
  DEMO: v.optional(onOff),
  NODE_ENV: v.optional(v.picklist(["production", "development", "test"]), "development"),
};

export type SettingName = keyof typeof shapes;

/** What each setting must look like, for the error that names it and for the table in README.md. */
export const settings: Record<SettingName, { must: string; fallback: string; about: string }> = {
  PORT: { must: "a number from 0 to 65535", fallback: "3000", about: "where the page is served" },
  HOST: {
    must: "a host name or an address",
    fallback: "127.0.0.1",
    about: "the address listened on; 0.0.0.0 for all",
  },
  DATA_DIR: {
    must: "a folder",
    fallback: ".data",
    about: "what the product keeps: database, queue, uploads, secrets",
  },
  DATABASE_URL: {
    must: "postgres://user:password@host:port/database",
    fallback: "its own Postgres in DATA_DIR",
    about: "a Postgres (17 or newer) to use instead",
  },
  REDIS_URL: {
    must: "redis://host:port/0, rediss:// or unix:/path",
    fallback: "its own Redis in DATA_DIR",
    about: "a Redis (7 or newer, noeviction) to use instead",
  },
  SECRET_KEY: {
    must: "at least 32 characters",
    fallback: "made and kept in DATA_DIR; required in production",
    about: "signs cookies and links",
  },
  PUBLIC_URL: {
    must: "http:// or https:// and a host",
    fallback: "http://localhost:PORT",
    about: "the address that people open",
  },
  SMTP_URL: {
    must: "smtp://user:password@host:port or smtps://",
    fallback: "none: mails are kept and shown at /dev/mail, outside production",
    about: "the mail server that mails go out by",
  },
  MAIL_FROM: {
    must: "an email address",
    fallback: "no-reply@ the host of PUBLIC_URL",
    about: "the address that mails come from",
  },
  STORAGE: {
    must: "disk or s3://key:secret@host/bucket?region=name",
    fallback: "disk",
    about: "where uploads are kept: in DATA_DIR, or in a bucket",
  },
  AWS_ACCESS_KEY_ID: {
    must: "the key's id",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  AWS_SECRET_ACCESS_KEY: {
    must: "the key's secret",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  LOG_LEVEL: { must: logLevels.join(", "), fallback: "info", about: "how much is logged" },
  TRUSTED_PROXIES: {
    must: "addresses, separated by commas",
    fallback: "none",
    about: "proxies whose X-Forwarded-For is believed",
  },
  RATE_LIMITS: {
    must: "on or off",
    fallback: "on",
    about: "limits on sign-ins, calls and chat; cannot be off in production",
  },
  DEMO: {
    must: "on or off",
    fallback: "on; off in production",
    about: "demo players and a rehearsal session that plays itself",
  },
  NODE_ENV: {
    must: "production, development or test",
    fallback: "development",
    about: "production asks for real secrets and logs JSON",
  },
};

/** The checked settings of one process. Folders are absolute; both URLs always lead somewhere. */
export type Env = {
  production: boolean;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string;
  redisUrl: string;
  /** True where the server behind the URL is our own, kept in `dataDir` and started by `bun run start`. */
  embedded: { database: boolean; redis: boolean };
  secretKey: string;
  /** Without a slash at its end. */
  publicUrl: string;
  /** Null where there is no mail server: mails are kept and shown instead. */
  smtpUrl: string | null;
  /** Null for the usual one; see senderOf. */
  mailFrom: string | null;
  storage: StorageAddress;
  logLevel: (typeof logLevels)[number];
  trustedProxies: string[];
  rateLimits: boolean;
  demo: boolean;
};

/** A setting is wrong; the message names the variable and the cure. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads and checks the settings.
 * @param source variables by name; the process's own where left out.
 * @throws SettingsError naming every wrong variable.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const read = check(source);
  const production = read.NODE_ENV === "production";
  const dataDir = path.resolve(read.DATA_DIR);
  const own = placeOf(dataDir);
  if (production && !read.RATE_LIMITS) {
    throw new SettingsError("RATE_LIMITS cannot be off in production. Leave it out.");
  }
  return {
    production,
    port: read.PORT,
    host: read.HOST,
    dataDir,
    databaseUrl: read.DATABASE_URL ?? own.databaseUrl,
    redisUrl: read.REDIS_URL ?? own.redisUrl,
    embedded: { database: read.DATABASE_URL === undefined, redis: read.REDIS_URL === undefined },
    secretKey: read.SECRET_KEY ?? keptSecret(dataDir, production),
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ""),
    storage: storageOf(read, dataDir),
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? null,
    logLevel: read.LOG_LEVEL,
    trustedProxies: read.TRUSTED_PROXIES ?? [],
    rateLimits: read.RATE_LIMITS,
    demo: read.DEMO ?? !production,
  };
}

/** The variables of this process, for the processes it starts. */
export function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function check(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.keys(shapes).flatMap((name) => {
      const value = source[name]?.trim();
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const result = v.safeParse(v.object(shapes), given, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new SettingsError(result.issues.map((issue) => sentence(issue)).join("\n"));
}

function sentence(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue);
  const setting = Object.entries(settings).find(([known]) => known === name)?.[1];
  if (setting === undefined) return issue.message;
  // The value itself is not repeated: it may be a secret.
  return `${name} must be ${setting.must}. Set it so, or leave it out for the default (${setting.fallback}).`;
}

function storageOf(read: ReturnType<typeof check>, dataDir: string): StorageAddress {
  const keys = { accessKeyId: read.AWS_ACCESS_KEY_ID, secretAccessKey: read.AWS_SECRET_ACCESS_KEY };
  const address = readStorageAddress(read.STORAGE, { dataDir, ...keys });
  if (address !== null) return address;
  throw new SettingsError(
    `STORAGE must be ${settings.STORAGE.must}. The key and its secret may stand in AWS_ACCESS_KEY_ID and ` +
      "AWS_SECRET_ACCESS_KEY instead. Set it so, or leave it out for the default (disk).",
  );
}

/** The secret of this data folder, made on the first start. */
function keptSecret(dataDir: string, production: boolean): string {
  if (production) {
    throw new SettingsError(
      "SECRET_KEY is not set. In production set it to at least 32 random characters: openssl rand -base64 48",
    );
  }
  const file = path.join(dataDir, "secret-key");
  try {
    makeDataDir(dataDir);
    if (!existsSync(file)) {
      writeFileSync(file, randomBytes(SECRET_BYTES).toString("base64url"), { flag: "wx", mode: 0o600 });
    }
    return readFileSync(file, "utf8");
  } catch {
    throw new SettingsError(
      `DATA_DIR ${dataDir} cannot be written to. Start as the user it belongs to, or set DATA_DIR to another folder.`,
    );
  }
}
