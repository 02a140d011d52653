import { unavailable } from "#src/base/refusal.ts";
import { keepTrying, watchService } from "#src/base/service-watch.ts";
import type { Backend, Store } from "#src/base/store.ts";

// Decision: whatever stores the bytes, its keys are checked here, an error of it is a 503 with its cause, and operators read what does
// not work. So neither a crafted backup nor a crafted row reaches anything else on the disk or in the bucket.

const OWN_KEY = /^[0-9a-f]{40}$/;
/** Nothing is stored under it for long. Reading it shows whether the storage answers, writing it whether it takes anything. */
const UNUSED_KEY = "0".repeat(40);
/** While somebody wants to know, it is tried this often. */
const TRIED_EVERY_MS = 1_500;
/** A key that this program has not made. */
export class ForeignKey extends Error {
  override readonly name = "ForeignKey";
}

/** True for a key that this program has made. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** @returns a store that throws Refusal 503 while the backend does not work, and ForeignKey for a key that is not its own. */
export function guardStore(backend: Backend): Store {
  const watch = watchService();
  const guarded = <Result>(what: string, operation: () => Promise<Result>): Promise<Result> =>
    watch.observe(what, operation).catch((cause: unknown) => {
      throw Object.assign(unavailable(), { cause });
    });
  const tryNow = () => {
    void guarded("try", () => read(backend)).catch(() => undefined);
    if (watch.hasFailed("put")) void guarded("put", () => write(backend)).catch(() => undefined);
  };
  return {
    put: async (key, bytes, contentType) => {
      requireOwn(key);
      await guarded("put", () => backend.put(key, bytes, contentType));
    },
    get: async (key) => {
      requireOwn(key);
      return guarded("get", () => backend.get(key));
    },
    remove: async (key) => {
      requireOwn(key);
      await guarded("remove", () => backend.remove(key));
    },
    trouble: keepTrying(watch, tryNow, { well: TRIED_EVERY_MS, wrong: TRIED_EVERY_MS }),
  };
}

/** A bucket tells a key without the right to list that what does not exist may not be read. */
async function read(backend: Backend): Promise<void> {
  try {
    await backend.get(UNUSED_KEY);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "AccessDenied")) throw error;
  }
}

/** Only after a write has failed: whether the next one would succeed. */
async function write(backend: Backend): Promise<void> {
  await backend.put(UNUSED_KEY, new Uint8Array(), "application/octet-stream");
  await backend.remove(UNUSED_KEY);
}

function requireOwn(key: string): void {
  if (!isOwnKey(key)) throw new ForeignKey("The key is none of this storage. Nothing was read or written.");
}
