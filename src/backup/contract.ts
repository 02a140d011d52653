/** Increase it when a release can no longer read the backups of earlier ones. */
export const FORMAT_VERSION = 1;

/**
 * The entries of a backup, which is a tar archive, compressed with gzip and with a passphrase encrypted in the age format. So it
 * can be read without this program: `age -d FILE | tar -xz`.
 */
export const ENTRIES = {
  manifest: "manifest.json",
  secretKey: "secrets/secret-key",
  /** The content types of the uploads by their keys. */
  uploadTypes: "uploads.json",
  /** Followed by the key of an upload. */
  uploads: "uploads/",
  /** Followed by the table and the number of the part. */
  rows: "rows/",
  end: "end.json",
} as const;

/** Rows are written in parts of about this size. */
export const PART_BYTES = 1_048_576;
/** No entry is larger: an upload has 5 MB at most. */
export const ENTRY_BYTES_MAX = 64 * 1_048_576;
