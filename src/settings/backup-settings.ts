import * as v from "valibot";
import { wholeNumber } from "./value-schemas.ts";

export const PASSPHRASE_LENGTH_MIN = 12;
const WORK_FACTOR_MIN = 10;
/** The highest that this program and `age` open. */
const WORK_FACTOR_MAX = 20;
/** Of scrypt, as a power of two. */
export const WORK_FACTOR = 18;

export const backupSettings = {
  BACKUP_PASSPHRASE: {
    schema: v.optional(v.pipe(v.string(), v.minLength(PASSPHRASE_LENGTH_MIN))),
    must: `at least ${PASSPHRASE_LENGTH_MIN} characters`,
    fallback: "none: a backup is not encrypted, or asks for it with --encrypt",
    about: "encrypts backups and opens them",
  },
  BACKUP_TO: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^(?!s3:)|^s3:\/\/.+\/.+$/))),
    must: "a folder, or s3://key:secret@host/bucket/prefix?region=name",
    fallback: "none: a backup names its file; /var/backups/called-it where deploy/setup.sh was used",
    about: "where `backup` without a file writes to, and `restore` without one reads the newest",
  },
  BACKUP_KEEP: {
    schema: v.optional(v.pipe(wholeNumber, v.minValue(1)), "14"),
    must: "a number above 0",
    about: "how many backups stay in BACKUP_TO: the oldest goes after a new one was written and read back",
  },
  BACKUP_WORK_FACTOR: {
    schema: v.optional(
      v.pipe(wholeNumber, v.minValue(WORK_FACTOR_MIN), v.maxValue(WORK_FACTOR_MAX)),
      String(WORK_FACTOR),
    ),
    must: `a number from ${WORK_FACTOR_MIN} to ${WORK_FACTOR_MAX}`,
    about: "how much a guess at the passphrase of a backup costs, as a power of two; 18 is about a second",
  },
} as const;
