import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { makeDataDir, dataFolderOf } from "#db/embedded/data-folder.ts";
import { choosePayments, type PaymentSettings } from "./payment-settings.ts";
import { type logLevels, type ReadSettings, settings, SettingsError, settingsShape } from "./settings.ts";
import { readStorageAddress, type StorageAddress } from "./storage-address.ts";

const SECRET_BYTES = 48;

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
  payments: PaymentSettings;
  logLevel: (typeof logLevels)[number];
  trustedProxies: string[];
  rateLimits: boolean;
  /** How many calls may wait in this process to be placed. */
  placingQueueMax: number;
  demo: boolean;
};

/**
 * Reads and checks the settings.
 * @param source variables by name; the process's own where left out.
 * @throws SettingsError naming every wrong variable.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const read = check(source);
  const production = read.NODE_ENV === "production";
  const dataDir = path.resolve(read.DATA_DIR);
  const own = dataFolderOf(dataDir);
  if (production && !read.RATE_LIMITS) {
    throw new SettingsError("RATE_LIMITS cannot be off in production. Leave it out.");
  }
  const secretKey = read.SECRET_KEY ?? keptSecret(dataDir, production);
  return {
    production,
    port: read.PORT,
    host: read.HOST,
    dataDir,
    databaseUrl: read.DATABASE_URL ?? own.databaseUrl,
    redisUrl: read.REDIS_URL ?? own.redisUrl,
    embedded: { database: read.DATABASE_URL === undefined, redis: read.REDIS_URL === undefined },
    secretKey,
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ""),
    storage: storageOf(read, dataDir),
    payments: choosePayments(read, { production, secretKey }),
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? null,
    logLevel: read.LOG_LEVEL,
    trustedProxies: read.TRUSTED_PROXIES ?? [],
    rateLimits: read.RATE_LIMITS,
    placingQueueMax: read.PLACING_QUEUE_MAX,
    demo: read.DEMO ?? !production,
  };
}

/** The variables of this process, for the processes it starts. */
export function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function check(source: Record<string, string | undefined>): ReadSettings {
  const given = Object.fromEntries(
    Object.keys(settingsShape.entries).flatMap((name) => {
      const value = source[name]?.trim();
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const result = v.safeParse(settingsShape, given, { abortPipeEarly: true });
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

function storageOf(read: ReadSettings, dataDir: string): StorageAddress {
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
