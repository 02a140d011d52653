/**
 * A random id in the form of a UUID: 120 random bits, version 4. `crypto.randomUUID` exists in secure contexts only, and a page
 * also runs over plain http.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return parts.join("-");
}
