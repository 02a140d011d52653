import { S3Client } from "bun";
import { unavailable } from "#src/base/refusal.ts";
import type { Store } from "#src/base/store.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";

const ANSWER_WITHIN_MS = 10_000;

/** Bytes are objects in a bucket of an S3-compatible service. While it is away, every question is refused: 503. */
export function createS3Store({
  prefix,
  kind: _kind,
  ...settings
}: Extract<StorageAddress, { kind: "s3" }>): Store {
  const client = new S3Client(settings);
  const fileOf = (key: string) => client.file(`${prefix}${key}`);
  return {
    put: async (key, bytes, contentType) => {
      await answered(fileOf(key).write(bytes, { type: contentType }));
    },
    get: async (key) => {
      try {
        return await answered(fileOf(key).bytes());
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: async (key) => {
      try {
        await answered(fileOf(key).delete());
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

async function answered<Result>(asked: Promise<Result>): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([asked, silence]);
  } catch (error) {
    throw isUnreachable(error) ? Object.assign(unavailable(), { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");
const isMissing = (error: unknown) => codeOf(error) === "NoSuchKey";
const isUnreachable = (error: unknown) =>
  /^(ConnectionRefused|ConnectionClosed|FailedToOpenSocket|Timeout|SlowDown|ServiceUnavailable|InternalError)$/.test(
    codeOf(error),
  );
