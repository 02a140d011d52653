import * as v from "valibot";

const PORT_MAX = 65_535;
const SECRET_LENGTH_MIN = 32;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
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
  STRIPE_SECRET_KEY: v.optional(v.pipe(v.string(), v.regex(/^[sr]k_/))),
  STRIPE_WEBHOOK_SECRET: v.optional(commaList),
  STRIPE_API_URL: v.optional(webAddress),
  PAYMENTS_WEBHOOK_SECRET: v.optional(commaList),
  LOG_LEVEL: v.optional(v.picklist(logLevels), "info"),
  TRUSTED_PROXIES: v.optional(commaList),
  RATE_LIMITS: v.optional(onOff, "on"),
  PLACING_QUEUE_MAX: v.optional(v.pipe(wholeNumber, v.minValue(1)), "2000"),
  DEMO: v.optional(onOff),
  NODE_ENV: v.optional(v.picklist(["production", "development", "test"]), "development"),
};

export type SettingName = keyof typeof shapes;

export const settingsSchema = v.object(shapes);
/** The settings as they are read, before anything is made of them. */
export type ReadSettings = v.InferOutput<typeof settingsSchema>;

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
  STRIPE_SECRET_KEY: {
    must: "a secret or restricted key of Stripe",
    fallback: "none: the test provider is used, outside production",
    about: "takes payments by Stripe",
  },
  STRIPE_WEBHOOK_SECRET: {
    must: "the signing secrets, separated by commas",
    fallback: "none; required with STRIPE_SECRET_KEY",
    about: "what Stripe signs its webhooks with; two while one replaces the other",
  },
  STRIPE_API_URL: {
    must: "http:// or https:// and a host",
    fallback: "Stripe's own",
    about: "another server that speaks Stripe's API",
  },
  PAYMENTS_WEBHOOK_SECRET: {
    must: "the signing secrets, separated by commas",
    fallback: "made from SECRET_KEY",
    about: "what the test provider signs its webhooks with",
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
  PLACING_QUEUE_MAX: {
    must: "a number above 0",
    fallback: "2000",
    about: "how many calls may wait to be placed; whoever comes then is asked to come back",
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

/** A setting is wrong; the message names the variable and the cure. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
