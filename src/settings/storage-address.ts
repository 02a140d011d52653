import path from "node:path";

const REGION_DEFAULT = "us-east-1";

/** Where uploads are stored: a local folder, or a bucket of an S3-compatible service. */
export type StorageAddress =
  | { kind: "disk"; folder: string }
  | {
      kind: "s3";
      /** Scheme, host and port of the service. */
      endpoint: string;
      bucket: string;
      /** The prefix of every key: empty, or with a trailing slash. */
      prefix: string;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

type Keys = { accessKeyId: string | undefined; secretAccessKey: string | undefined };

/**
 * Reads the setting STORAGE: `disk`, or `s3://[key:secret@]host[:port]/bucket[/prefix][?region=eu-west-1&tls=off]`.
 * @param keys from the environment, for an address that carries none.
 * @returns null if the setting cannot be parsed or keys are missing.
 */
export function readStorageAddress(
  setting: string,
  { dataDir, ...keys }: Keys & { dataDir: string },
): StorageAddress | null {
  if (setting === "disk") return { kind: "disk", folder: path.join(dataDir, "storage") };
  if (!setting.startsWith("s3://") || !URL.canParse(setting)) return null;
  return readBucket(new URL(setting), keys);
}

function readBucket(url: URL, keys: Keys): StorageAddress | null {
  const [bucket = "", ...folders] = url.pathname.slice(1).split("/").filter(Boolean);
  const accessKeyId = decodeOrKeep(url.username) || keys.accessKeyId;
  const secretAccessKey = decodeOrKeep(url.password) || keys.secretAccessKey;
  if (url.host === "" || bucket === "" || accessKeyId === undefined || secretAccessKey === undefined)
    return null;
  return {
    kind: "s3",
    endpoint: `${url.searchParams.get("tls") === "off" ? "http" : "https"}://${url.host}`,
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(""),
    region: url.searchParams.get("region") ?? REGION_DEFAULT,
    accessKeyId,
    secretAccessKey,
  };
}

/** Decodes a percent-encoded key. A key with a bare "%" in it is returned unchanged. */
function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
