import * as v from "valibot";
import { findingShape, type FindingView } from "./contract.ts";

const findings = v.array(findingShape);

/** What a check has found, as its row keeps it. */
export function readFindings(kept: unknown): FindingView[] {
  return v.parse(findings, kept);
}
