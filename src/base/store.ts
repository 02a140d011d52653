/** Keeps bytes under keys. Keys are of our making: letters and digits. */
export type Store = {
  /** Keeps all of it or nothing; what was there under this key before is gone. */
  put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  /** Null where nothing is kept under this key. */
  get: (key: string) => Promise<Uint8Array | null>;
  /** Does nothing where nothing is there. */
  remove: (key: string) => Promise<void>;
};
