/** Stores bytes under keys that this program has made: 40 hex digits. Any other key is refused, before anything is opened. */
export type Store = Backend & {
  /** What does not work, as far as this process knows; null: nothing. It waits for nothing. */
  trouble: () => Error | null;
};

/** What stores the bytes. A store guards it. */
export type Backend = {
  /** Stores all bytes or nothing, and replaces what was stored under this key. */
  put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  get: (key: string) => Promise<Uint8Array | null>;
  remove: (key: string) => Promise<void>;
};
