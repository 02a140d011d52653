/** What an operator does about errors of servers and of the machine, by SQLSTATE or code. */
const cures: readonly [codes: RegExp, cure: string][] = [
  [
    /^42501$/,
    "The role in the address does not have this right. Commands need the owner of the tables: set MIGRATE_DATABASE_URL to its address. " +
      "If it is the role of the processes that serve, `bun run migrate` gives it its rights again.",
  ],
  [/^(42P01|42703|42883|3F000)$/, "If the database is not prepared for this release, run `bun run migrate`."],
  [
    /^(53300|ERR_POSTGRES_TOO_MANY_CONNECTIONS)$/,
    "All connections are in use. Raise max_connections of Postgres (each web process and each worker needs 20), or stop what does not " +
      "need them.",
  ],
  [
    /^(28P01|28000|ERR_POSTGRES_AUTHENTICATION_FAILED.*)$/,
    "Postgres does not accept this role with this password. Correct DATABASE_URL, or MIGRATE_DATABASE_URL.",
  ],
  [/^3D000$/, "Create the database, or correct its name in DATABASE_URL and MIGRATE_DATABASE_URL."],
  [
    /^(08P01|26000|42P05)$/,
    "If a PgBouncer stands before Postgres, add pgbouncer=true to DATABASE_URL, and name Postgres itself in MIGRATE_DATABASE_URL.",
  ],
  [/^57P03$/, "Postgres is starting or stopping. Try again in a moment."],
  [
    /^DATABASE_SILENT$/,
    "Postgres does not answer in time: it is stopped, frozen or overloaded, or the network between loses packets. Start it, see what slows " +
      "it (its load, its disk), or correct the host and the port in DATABASE_URL and MIGRATE_DATABASE_URL.",
  ],
  [
    /^ERR_POSTGRES_CONNECTION_(REFUSED|FAILED|TIMEOUT)$/,
    "Postgres does not answer there. Start it, or correct the host and the port in DATABASE_URL and MIGRATE_DATABASE_URL.",
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "The host is not known. Correct it in the address."],
  [/^EAUTH$/, "The mail server refuses the user or the password in SMTP_URL. Correct them."],
  [
    /^(ESOCKET|ECONNECTION|EDNS|ETLS)$/,
    "The mail server cannot be reached there. Start it, or correct the host, the port and TLS in SMTP_URL.",
  ],
  [/^ECONNREFUSED$/, "Nothing listens at this address. Start the server, or correct the address."],
  [
    /^EPROTOCOL$/,
    "The mail server cannot be used. Correct SMTP_URL, or start the server; smtps:// is for TLS from the first byte, mostly port 465.",
  ],
  [/^ETIMEDOUT$/, "It does not answer in time. See whether it runs, what slows it, and the network between."],
  [/^(ENOSPC|53100)$/, "The disk is full. Make room."],
  [
    /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST)$/,
    "This user may not read or write there. Correct the owner or the mode, or name another place.",
  ],
  [
    /^AccessDenied$/,
    "The key of STORAGE needs the rights to read, write and delete objects of the bucket (s3:GetObject, s3:PutObject, s3:DeleteObject).",
  ],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch)$/,
    "The storage does not know this key. Correct it in STORAGE, or in the variables that it is read from.",
  ],
  [/^RequestTimeTooSkewed$/, "The clocks of this machine and of the storage differ. Set this one by NTP."],
  [/^NoSuchBucket$/, "Create the bucket, or correct its name in STORAGE."],
  [
    /^(PermanentRedirect|TemporaryRedirect|AuthorizationQueryParametersError|IllegalLocationConstraintException)$/,
    "The bucket is in another region. Add it to STORAGE: ?region=eu-west-1.",
  ],
  [/^NotS3$/, "Correct the host, the port and ?tls= in STORAGE, or the proxy before the storage."],
];

/** What an operator does about this very error, not about its causes; undefined where that is not known. */
export function cureOf(error: Error): string | undefined {
  const codes = ["errno", "code"].map((name) => String(Reflect.get(error, name)));
  return cures.find(([known]) => codes.some((code) => known.test(code)))?.[1];
}
