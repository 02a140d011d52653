const POOL_BYTES = 8_192;

let pool = new Uint8Array();
let used = 0;

/**
 * Random bytes for nonces and masks, which each answer needs. The system is asked for many of them at once: that costs as much as
 * asking for a few. No byte is given out twice.
 * @param count at most 8,192.
 */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
