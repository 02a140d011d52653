import { createHash } from "node:crypto";
import { addressOf } from "#db/address.ts";

/** Postgres cuts names off at 63 bytes; the rest is for the suffix and the id. */
const PRODUCT_LENGTH_MAX = 32;
const HASH_LENGTH = 8;

/** How the names of the databases of dry runs begin, beside the product's database. */
export function databasePrefix(productUrl: string): string {
  return `${shorten(addressOf(productUrl).database)}_dry_run_`;
}

/** Another name stays another one: a long name ends with a hash of all of it. */
function shorten(product: string): string {
  if (product.length <= PRODUCT_LENGTH_MAX) return product;
  const hash = createHash("sha256").update(product).digest("hex").slice(0, HASH_LENGTH);
  return `${product.slice(0, PRODUCT_LENGTH_MAX - HASH_LENGTH)}${hash}`;
}

/** The dry run to which a database belongs; null for any other database. */
export function dryRunOf(productUrl: string, database: string): number | null {
  const prefix = databasePrefix(productUrl);
  const id = database.startsWith(prefix) ? database.slice(prefix.length) : "";
  return /^\d+$/.test(id) ? Number(id) : null;
}
