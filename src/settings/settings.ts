import * as v from "valibot";

const PORT_MAX = 65_535;
const SECRET_LENGTH_MIN = 32;
const WEB_PROCESSES_MAX = 64;

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

/** One setting. `must`, `fallback` and `about` are texts: for the error that names it, and for the table in README.md. */
type Setting = {
  /** A variable that is unset, or set to "", takes the schema's default. */
  schema: v.GenericSchema<string | undefined, unknown>;
  /** Completes the sentence "PORT must be ...". */
  must: string;
  /** What applies if it is not set. The same as the schema's default where there is one. */
  fallback: string;
  about: string;
};

/** All settings by the names of their environment variables. A new setting is added here and in the table in README.md. */
export const settings = {
  PORT: {
    schema: v.optional(v.pipe(wholeNumber, v.maxValue(PORT_MAX)), "3000"),
    must: "a number from 0 to 65535",
    fallback: "3000",
    about: "where the page is served",
  },
  HOST: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]+$/)), "127.0.0.1"),
    must: "a host name or an address",
    fallback: "127.0.0.1",
    about: "the address listened on; 0.0.0.0 for all",
  },
  WEB_PROCESSES: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(WEB_PROCESSES_MAX)), "1"),
    must: `a number from 1 to ${WEB_PROCESSES_MAX}`,
    fallback: "1",
    about: "how many web processes share the port, such as one for each core; above 1 on Linux only",
  },
  DATA_DIR: {
    schema: v.optional(v.string(), ".data"),
    must: "a folder",
    fallback: ".data",
    about: "the data folder: database, queue, uploads, secrets",
  },
  DATABASE_URL: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//), v.url())),
    must: "postgres://user:password@host:port/database",
    fallback: "its own Postgres in DATA_DIR",
    about: "a Postgres (17 or newer) to use instead",
  },
  REDIS_URL: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(rediss?:\/\/|unix:\/)/))),
    must: "redis://host:port/0, rediss:// or unix:/path",
    fallback: "its own Redis in DATA_DIR",
    about: "a Redis (7 or newer, noeviction) to use instead",
  },
  SECRET_KEY: {
    schema: v.optional(v.pipe(v.string(), v.minLength(SECRET_LENGTH_MIN))),
    must: "at least 32 characters",
    fallback: "generated and stored in DATA_DIR; required in production",
    about: "signs cookies and links",
  },
  PUBLIC_URL: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "http://localhost:PORT",
    about: "the address that people open",
  },
  SMTP_URL: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\//), v.url())),
    must: "smtp://user:password@host:port or smtps://",
    fallback: "none: mails are stored and shown at /dev/mail, outside production",
    about: "the mail server that sends the mails",
  },
  MAIL_FROM: {
    schema: v.optional(v.pipe(v.string(), v.email())),
    must: "an email address",
    fallback: "no-reply@ the host of PUBLIC_URL",
    about: "the sender address of mails",
  },
  STORAGE: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(disk|s3:\/\/.+)$/)), "disk"),
    must: "disk or s3://key:secret@host/bucket?region=name",
    fallback: "disk",
    about: "where uploads are stored: in DATA_DIR, or in a bucket",
  },
  AWS_ACCESS_KEY_ID: {
    schema: v.optional(v.string()),
    must: "the key's id",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  AWS_SECRET_ACCESS_KEY: {
    schema: v.optional(v.string()),
    must: "the key's secret",
    fallback: "the one in STORAGE",
    about: "for a bucket whose address carries no key",
  },
  STRIPE_SECRET_KEY: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^[sr]k_/))),
    must: "a secret or restricted key of Stripe",
    fallback: "none: the test provider is used, outside production",
    about: "takes payments by Stripe",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: v.optional(commaList),
    must: "the signing secrets, separated by commas",
    fallback: "none; required with STRIPE_SECRET_KEY",
    about: "what Stripe signs its webhooks with; two while one replaces the other",
  },
  STRIPE_API_URL: {
    schema: v.optional(webAddress),
    must: "http:// or https:// and a host",
    fallback: "Stripe's own",
    about: "another server that speaks Stripe's API",
  },
  PAYMENTS_WEBHOOK_SECRET: {
    schema: v.optional(commaList),
    must: "the signing secrets, separated by commas",
    fallback: "derived from SECRET_KEY",
    about: "what the test provider signs its webhooks with",
  },
  LOG_LEVEL: {
    schema: v.optional(v.picklist(logLevels), "info"),
    must: logLevels.join(", "),
    fallback: "info",
    about: "how much is logged",
  },
  TRUSTED_PROXIES: {
    schema: v.optional(commaList),
    must: "addresses, separated by commas",
    fallback: "none",
    about: "proxies whose X-Forwarded-For is trusted",
  },
  RATE_LIMITS: {
    schema: v.optional(onOff, "on"),
    must: "on or off",
    fallback: "on",
    about: "limits on sign-ins, calls and chat; cannot be off in production",
  },
  PLACING_QUEUE_MAX: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "2000"),
    must: "a number above 0",
    fallback: "2000",
    about: "how many calls may wait to be placed in a process; more are refused with 503",
  },
  DEMO: {
    schema: v.optional(onOff),
    must: "on or off",
    fallback: "on; off in production",
    about: "demo players and a rehearsal session that plays itself",
  },
  NODE_ENV: {
    schema: v.optional(v.picklist(["production", "development", "test"]), "development"),
    must: "production, development or test",
    fallback: "development",
    about: "production asks for real secrets and logs JSON",
  },
} as const satisfies Record<string, Setting>;

export const settingsSchema = v.object(schemasOf(settings));
/** The settings as their schemas read them, before anything is derived from them. */
export type ReadSettings = v.InferOutput<typeof settingsSchema>;

/** A setting is wrong. The message names the variable and says how to correct it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

function schemasOf<All extends Record<string, Setting>>(
  all: All,
): { [Name in keyof All]: All[Name]["schema"] };
function schemasOf(all: Record<string, Setting>): v.ObjectEntries {
  return Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema]));
}
