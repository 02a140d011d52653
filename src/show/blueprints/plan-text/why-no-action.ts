/** Why a line is no action; null if it may be one. A heading may have a number and ask: "### 1. Will it rain?" */
export function whyNoAction(raw: string): string | null {
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(raw) || /^\s*```/.test(raw)) return "no words in it";
  return /^\s*#{1,6} /.test(raw) && !/[|\t?]/.test(raw) ? "a heading" : null;
}

const part =
  /^\s*(?:round|part|section|block|half|quarter|runde|teil)\s*(?:\d{1,2}|[ivx]{1,4}|one|two|three|four|five)(?:\s*[:.–—-][^?]{0,40})?\s*$/i;

/** Why the only text of a line is no action: "Round 2: music" stands over those of its round. Null if it may be one. */
export function whyHeading(text: string): string | null {
  return part.test(text) ? "a heading" : null;
}

/** Why a row is no action: it adds up those above it. Null if it may be one. @param first its first text. */
export function whySum(first: string): string | null {
  return /^(?:total|sum|summe|gesamt)(?:\s*:)?$/i.test(first.trim()) ? "a sum" : null;
}
