/** A number that no other test has, for names that the product judges: letters and digits together may read as an insult. */
export function uniqueNumber(): string {
  return String(crypto.getRandomValues(new BigUint64Array(1))[0]);
}
