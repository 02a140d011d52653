import { malformed } from "#src/base/refusal.ts";
import { camelCase, JSON_DEPTH_MAX } from "./contract.ts";

const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The same value with every key in camelCase: `{spot_id: 1}` -> `{spotId: 1}`.
 * Refuses (400) deep nesting, a key in both spellings, and keys that are special in JavaScript.
 */
export function camelize(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === JSON_DEPTH_MAX) throw malformed("The body is nested too deeply.");
  if (Array.isArray(value)) return value.map((item) => camelize(item, depth + 1));
  const entries = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) {
    const name = camelCase(key);
    if (forbiddenKeys.has(name)) throw malformed("The body has a key that is not allowed.");
    if (entries.has(name)) throw malformed("The body has the same key twice.");
    entries.set(name, camelize(item, depth + 1));
  }
  return Object.fromEntries(entries);
}
