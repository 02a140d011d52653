import * as v from "valibot";
import { findingSchema, type FindingView } from "./schemas.ts";

const findings = v.array(findingSchema);

/** What a check has found, as its row keeps it. */
export function readFindings(kept: unknown): FindingView[] {
  return v.parse(findings, kept);
}
