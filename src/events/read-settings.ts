import * as v from "valibot";

/** What the settings of an event's session mean to it; what does not fit counts as not set. */
const settings = v.object({
  leadSeconds: v.fallback(v.number(), 10),
  settlementDelaySeconds: v.fallback(v.number(), 0),
  smallRoom: v.fallback(v.boolean(), false),
});

/** Reads the settings of an event's session; null where it has none. */
export function readSettings(session: { settings: unknown } | null): v.InferOutput<typeof settings> {
  return v.parse(settings, { ...v.parse(v.fallback(v.looseObject({}), {}), session?.settings) });
}
