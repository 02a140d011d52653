import type { State } from "./model.ts";

// The product's replies, word for word as in the specification.

export const DONE = "done";
const labels: Record<State, string> = {
  draft: "Draft",
  visible: "Visible",
  open: "Open",
  closed: "Closed",
  resolved: "Resolved",
  hidden: "Hidden",
  destroyed: "Destroyed",
};

export const invalid = (text: string, code = "invalid") => `422 ${code}, Validation failed: ${text}`;
export const notFound = "404 not_found, not found";
export const conflictOfInterest = "403 forbidden, forbidden";
export const dependentCalls = "422 dependents, Cannot delete record because dependent calls exist";
export const reasonRequired = invalid("Reason is required");
export const when = (state: State) => invalid(`State event cannot transition when ${labels[state]}`);
export const via = (label: string) => invalid(`State cannot transition via "${label}"`);
export const wrongSpot = (code: string) => invalid("Spot has wrong state", code);
