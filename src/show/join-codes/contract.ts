import { JOIN_CODE_LENGTH } from "#db/lists/join-code.ts";

/** The longest text that is read as a code: people type spaces and hyphens between its letters. */
export const TYPED_CODE_LENGTH_MAX = 40;

/** A code as it is shown: in two halves, which are easier to keep in mind. "ABC234" -> "ABC 234" */
export function spacedCode(code: string): string {
  const half = JOIN_CODE_LENGTH / 2;
  return `${code.slice(0, half)} ${code.slice(half)}`;
}

/** For so long after they came, players can be removed together with all who came from the same network. */
export const WAVE_MINUTES = 10;
export const WAVE_NAMES_MAX = 50;
