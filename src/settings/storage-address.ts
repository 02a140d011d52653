import path from "node:path";

const REGION_DEFAULT = "us-east-1";

/** Where uploads are kept: a folder of ours, or a bucket of an S3-compatible service. */
export type StorageAddress =
  | { kind: "disk"; folder: string }
  | {
      kind: "s3";
      /** Scheme, host and port of the service. */
      endpoint: string;
      bucket: string;
      /** What every key begins with; empty or with a slash at its end. */
      prefix: string;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

type Keys = { accessKeyId: string | undefined; secretAccessKey: string | undefined };

/**
 * Reads the setting STORAGE: `disk`, or `s3://[key:secret@]host[:port]/bucket[/prefix][?region=eu-west-1&tls=off]`.
 * @param keys what the environment has, for an address that carries none.
 * @returns null where it cannot be read or where keys are missing.
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
  const accessKeyId = decoded(url.username) || keys.accessKeyId;
  const secretAccessKey = decoded(url.password) || keys.secretAccessKey;
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

/** A key as it is meant; one with a bare "%" in it is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
