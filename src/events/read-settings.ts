import * as v from "valibot";
import { SETTLEMENT_DELAY_DEFAULT_SECONDS } from "./contract.ts";

/** The session settings that events use. An invalid value counts as not set. */
const settings = v.object({
  leadSeconds: v.fallback(v.number(), 10),
  settlementDelaySeconds: v.fallback(v.number(), SETTLEMENT_DELAY_DEFAULT_SECONDS),
});

/** Reads these settings of an event's session; the defaults for an event without a session. */
export function readSettings(session: { settings: unknown } | null): v.InferOutput<typeof settings> {
  return v.parse(settings, { ...v.parse(v.fallback(v.looseObject({}), {}), session?.settings) });
}
