import { createECDH, createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { addressOf, formatAddress, isPooled } from "#db/address.ts";
import { dataFolderOf, makeDataDir } from "#db/embedded/data-folder.ts";
import { deriveKey } from "./derive-key.ts";
import { oidcOf } from "./read-oidc.ts";
import { siteOf } from "./read-site.ts";
import { refuseUnsafe } from "./refuse-unsafe.ts";
import { fallbackOf, type ReadSettings, settings, SettingsError, settingsSchema } from "./settings.ts";
import { readStorageAddress, type StorageAddress } from "./storage-address.ts";

const SECRET_BYTES = 48;
/** Longer than proxies take between two looks at /ready. */
const DRAIN_MS = 5_000;

/** The checked settings of one process. Folders are absolute, and both server URLs are always set. */
export type Env = ReturnType<typeof readEnv>;

const CURVE = "prime256v1";
const MIN_AGE_DEFAULT = 18;

/**
 * Reads and checks the settings.
 * @param source variables by name; by default the process's own.
 * @param platform the operating system, as in `process.platform`.
 * @throws SettingsError, which names every wrong variable.
 */
export function readEnv(
  source: Record<string, string | undefined> = process.env,
  platform: NodeJS.Platform = process.platform,
) {
  const read = parseSettings(source);
  const production = read.NODE_ENV === "production";
  const dataDir = path.resolve(read.DATA_DIR);
  const embedded = dataFolderOf(dataDir);
  refuseOnPlatform(read, platform);
  refuseUnsafe(read);
  const secretKey = read.SECRET_KEY ?? loadOrCreateSecret(dataDir, production);
  return {
    production,
    port: read.PORT,
    host: read.HOST,
    webConcurrency: read.WEB_CONCURRENCY,
    drainMs: read.DRAIN_SECONDS ?? (production ? DRAIN_MS : 0),
    dataDir,
    watchedFolders: read.WATCHED_FOLDERS,
    ...rolesOf(read, embedded),
    ...nullableOf(read),
    databaseSilentMs: read.DATABASE_SILENT_SECONDS,
    redisUrl: read.REDIS_URL ?? embedded.redisUrl,
    // The server behind the URL lives in the data folder, and `bun run start` starts it.
    embedded: { database: read.DATABASE_URL === undefined, redis: read.REDIS_URL === undefined },
    secretKey,
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ""),
    storage: storageOf(read, dataDir),
    ...paymentsOf(read, { production, secretKey }),
    push: pushOf(read, secretKey),
    alertsTo: read.ALERTS_TO ?? [],
    logLevel: read.LOG_LEVEL,
    trustedProxies: read.TRUSTED_PROXIES ?? [],
    frameOrigins: read.FRAME_ORIGINS ?? [],
    rateLimits: read.RATE_LIMITS,
    placingQueueMax: read.PLACING_QUEUE_MAX,
    guestsPerAddress: read.GUESTS_PER_ADDRESS,
    guestGrantCents: read.GUEST_GRANT,
    rankGuests: read.RANK_GUESTS,
    registration: read.REGISTRATION,
    demo: read.DEMO ?? !production,
    adminPasskeysRequired: read.ADMIN_PASSKEYS === "required",
    oidc: oidcOf(read),
    site: siteOf(read),
    // See src/backup/encrypted.ts.
    backupWorkFactor: read.BACKUP_WORK_FACTOR,
  };
}

/** Null where nothing is set. */
function nullableOf(read: ReadSettings) {
  return {
    replicaDatabaseUrl: read.DATABASE_REPLICA_URL ?? null,
    // Null: mails are stored and shown at /dev/mail.
    smtpUrl: read.SMTP_URL ?? null,
    mailFrom: read.MAIL_FROM ?? null,
    backupPassphrase: read.BACKUP_PASSPHRASE ?? null,
    metricsToken: read.METRICS_TOKEN ?? null,
    metricsPort: read.METRICS_PORT ?? null,
    commit: read.COMMIT ?? null,
    alertsQuiet: read.ALERTS_QUIET ?? null,
    // Null: nothing is traced.
    tracing:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : { sampler: read.OTEL_TRACES_SAMPLER, ratio: read.OTEL_TRACES_SAMPLER_ARG },
  };
}

/** Where the data is, by the settings. Unlike readEnv it creates no secret. @throws SettingsError if a variable is wrong. */
export function readDataDir(): {
  dataDir: string;
  embeddedDatabase: boolean;
} {
  const { DATA_DIR, DATABASE_URL } = parseSettings(process.env);
  return { dataDir: path.resolve(DATA_DIR), embeddedDatabase: DATABASE_URL === undefined };
}

/** What a migration needs. Unlike readEnv it asks for no secret key. @throws SettingsError if a variable is wrong. */
export function readMigration(source: Record<string, string | undefined> = process.env) {
  const { NODE_ENV, LOG_LEVEL: logLevel, DATA_DIR, ...read } = parseSettings(source);
  const roles = rolesOf(read, dataFolderOf(path.resolve(DATA_DIR)));
  return { production: NODE_ENV === "production", logLevel, ...roles };
}

/** What the settings say of backups. Unlike readEnv it asks for no secret key. @throws SettingsError if a variable is wrong. */
export function readBackupSettings() {
  const read = parseSettings(process.env);
  return {
    passphrase: read.BACKUP_PASSPHRASE ?? null,
    to: read.BACKUP_TO ?? null,
    keep: read.BACKUP_KEEP,
    /** For a bucket whose address carries none. */
    keys: { accessKeyId: read.AWS_ACCESS_KEY_ID, secretAccessKey: read.AWS_SECRET_ACCESS_KEY },
  };
}

function refuseOnPlatform({ WEB_CONCURRENCY }: ReadSettings, platform: NodeJS.Platform): void {
  if (WEB_CONCURRENCY === 1 || platform === "linux") return;
  throw new SettingsError(
    "WEB_CONCURRENCY above 1 needs Linux: elsewhere one process gets all connections of a port. Leave it out.",
  );
}

/** The environment variables of this process, for the processes that it starts. */
export function ownVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function parseSettings(source: Record<string, string | undefined>): ReadSettings {
  const given = Object.fromEntries(
    Object.keys(settingsSchema.entries).flatMap((name) => {
      const value = source[name]?.trim();
      // An empty variable counts as not set.
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const result = v.safeParse(settingsSchema, given, { abortPipeEarly: true });
  if (result.success) return result.output;
  throw new SettingsError(result.issues.map((issue) => describeIssue(issue)).join("\n"));
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue);
  const setting = Object.entries(settings).find(([known]) => known === name)?.[1];
  if (setting === undefined) return issue.message;
  // The value itself is not repeated: it may be a secret.
  return `${name} must be ${setting.must}. Correct it, or leave it out for the default (${fallbackOf(setting)}).`;
}

function storageOf(read: ReadSettings, dataDir: string): StorageAddress {
  const keys = { accessKeyId: read.AWS_ACCESS_KEY_ID, secretAccessKey: read.AWS_SECRET_ACCESS_KEY };
  const address = readStorageAddress(read.STORAGE, { dataDir, ...keys });
  if (address !== null) return address;
  throw new SettingsError(
    `STORAGE must be ${settings.STORAGE.must}. The key and its secret may also be set in AWS_ACCESS_KEY_ID ` +
      "and AWS_SECRET_ACCESS_KEY. Correct it, or leave it out for the default (disk).",
  );
}

/** The secret of this data folder, generated on the first start. */
function loadOrCreateSecret(dataDir: string, production: boolean): string {
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
      `DATA_DIR ${dataDir} cannot be written to. Start as the user who owns it, or set DATA_DIR to another folder.`,
    );
  }
}

/** How payments are taken, and what keeps spending fair. */
function paymentsOf(read: ReadSettings, how: { production: boolean; secretKey: string }) {
  const payments = choosePayments(read, how);
  const { MIN_AGE: minAge = payments.provider === "none" ? null : MIN_AGE_DEFAULT } = read;
  return {
    payments,
    spending: {
      /** Null: no limit. */
      siteLimitCents: read.DEPOSIT_MAX_WEEK,
      /** Null: never. */
      reminderMinutes: read.SPENDING_REMINDER_MINUTES,
      /** Null: it is not asked. */
      minAge,
      /** Null: payments are the same everywhere. */
      regions:
        read.REGIONS_WITHOUT_PAYMENTS === undefined
          ? null
          : { header: read.REGION_HEADER ?? "", without: read.REGIONS_WITHOUT_PAYMENTS },
      helpLinks: read.HELP_LINKS,
    },
  };
}

/** How payments are taken: by Stripe, by the test provider, or not at all. The first secret signs; all of them verify. */
export type PaymentSettings =
  | { provider: "stripe"; secretKey: string; webhookSecrets: string[]; apiUrl: string | null }
  | { provider: "test"; webhookSecrets: string[] }
  | { provider: "none" };

/**
 * Chooses the payment provider. Decision: no test payments in production. Without a Stripe key, production takes no payments
 * at all, because the test provider would give money for a click.
 */
function choosePayments(
  read: ReadSettings,
  { production, secretKey }: { production: boolean; secretKey: string },
): PaymentSettings {
  if (read.STRIPE_SECRET_KEY === undefined) {
    if (production) return { provider: "none" };
    const webhookSecrets = read.PAYMENTS_WEBHOOK_SECRET ?? [deriveKey(secretKey, "payment webhooks")];
    return { provider: "test", webhookSecrets };
  }
  if (read.STRIPE_WEBHOOK_SECRET === undefined) {
    throw new SettingsError("STRIPE_WEBHOOK_SECRET is not set. Take it from the webhook's page at Stripe.");
  }
  return {
    provider: "stripe",
    secretKey: read.STRIPE_SECRET_KEY,
    webhookSecrets: read.STRIPE_WEBHOOK_SECRET,
    apiUrl: read.STRIPE_API_URL ?? null,
  };
}

/** The keys of Web Push, and the origin of a push service that may be on a private address; null: none. */
export type PushSettings = PushKeys & { serviceOrigin: string | null };

function pushOf(read: ReadSettings, secretKey: string): PushSettings {
  const keys = pushKeysOf(secretKey, read.VAPID_PRIVATE_KEY);
  if (keys === null) {
    throw new SettingsError(
      `VAPID_PRIVATE_KEY must be ${settings.VAPID_PRIVATE_KEY.must}. Correct it, or leave it out for the default ` +
        `(${settings.VAPID_PRIVATE_KEY.fallback}).`,
    );
  }
  const service = read.PUSH_SERVICE_URL;
  return { ...keys, serviceOrigin: service === undefined ? null : new URL(service).origin };
}

/**
 * The database as the application and as its owner. A host that gives one role only gives one address.
 * @throws SettingsError for an owner's address without the application's, and for a PgBouncer without a way past it.
 */
function rolesOf(
  { DATABASE_URL, MIGRATE_DATABASE_URL }: Pick<ReadSettings, "DATABASE_URL" | "MIGRATE_DATABASE_URL">,
  embedded: { databaseUrl: string; ownerUrl: string },
) {
  if (MIGRATE_DATABASE_URL !== undefined && DATABASE_URL === undefined) {
    throw new SettingsError(
      "MIGRATE_DATABASE_URL needs DATABASE_URL beside it: the same database, as the application's role. Set both, or neither.",
    );
  }
  const databaseUrl = DATABASE_URL ?? embedded.databaseUrl;
  const ownerDatabaseUrl =
    DATABASE_URL === undefined ? embedded.ownerUrl : (MIGRATE_DATABASE_URL ?? DATABASE_URL);
  const [application, owner] = [addressOf(databaseUrl), addressOf(ownerDatabaseUrl)];
  if (isPooled(owner)) {
    throw new SettingsError(
      "DATABASE_URL goes through PgBouncer, and migrations cannot: set MIGRATE_DATABASE_URL to the address of Postgres itself, " +
        "without pgbouncer=true.",
    );
  }
  const { hosts, parameters } = owner;
  return {
    databaseUrl,
    // To migrate, seed, back up and restore it.
    ownerDatabaseUrl,
    // Null where it is the owner itself.
    applicationRole: application.username === owner.username ? null : application.username,
    // As the application without a PgBouncer between: for work that needs a connection of its own or another database.
    directDatabaseUrl: isPooled(application)
      ? formatAddress({ ...application, hosts, parameters })
      : databaseUrl,
  };
}

/** The pair of keys by which push services recognize this product (VAPID), in base64url. */
type PushKeys = { publicKey: string; privateKey: string };

/**
 * The product's pair of keys for Web Push. By default it is derived from the secret key, so that it exists from the first start,
 * all machines have the same, and nothing more has to be stored. A new pair makes all subscriptions useless; browsers subscribe
 * again with their next visit.
 * @param privateKey one to use instead: 32 bytes in base64url.
 * @returns null if that is no private key of the curve.
 */
function pushKeysOf(secretKey: string, privateKey: string | undefined): PushKeys | null {
  if (privateKey !== undefined) return pairOf(privateKey);
  // Nearly every number of 32 bytes is a private key; of the others there is one in four billion.
  for (let attempt = 0; ; attempt += 1) {
    const pair = pairOf(createHmac("sha256", secretKey).update(`web push ${attempt}`).digest("base64url"));
    if (pair !== null) return pair;
  }
}

function pairOf(privateKey: string): PushKeys | null {
  const pair = createECDH(CURVE);
  try {
    pair.setPrivateKey(privateKey, "base64url");
    return { publicKey: pair.getPublicKey("base64url"), privateKey };
  } catch {
    return null;
  }
}
