import { S3Client } from "bun";
import { unavailable } from "#src/base/refusal.ts";
import type { Store } from "#src/base/store.ts";
import type { StorageAddress } from "#src/settings/storage-address.ts";

const TIMEOUT_MS = 10_000;

/**
 * Stores bytes as objects in a bucket of an S3-compatible service.
 * @returns a store whose operations throw Refusal 503 while the service is unavailable.
 */
export function createS3Store({
  prefix,
  kind: _kind,
  ...settings
}: Extract<StorageAddress, { kind: "s3" }>): Store {
  const client = new S3Client(settings);
  const fileOf = (key: string) => client.file(`${prefix}${key}`);
  return {
    put: async (key, bytes, contentType) => {
      await withTimeout(fileOf(key).write(bytes, { type: contentType }));
    },
    get: async (key) => {
      try {
        return await withTimeout(fileOf(key).bytes());
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: async (key) => {
      try {
        await withTimeout(fileOf(key).delete());
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

async function withTimeout<Result>(operation: Promise<Result>): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), TIMEOUT_MS);
  try {
    return await Promise.race([operation, timeout]);
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
