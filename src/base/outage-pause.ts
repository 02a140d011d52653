// Decision: of all that waits for a server that is away, the first asks again soon, and the others once it has answered. So a server that
// comes back is used within seconds, and one that is away costs little.

const PAUSE_MIN_S = 4;
const PAUSE_MAX_S = 60;
const PART = 20;

/** After how many seconds a server is asked again that has been away for so long: a twentieth of it, from 4 s to a minute. */
export function outagePauseSeconds(awaySeconds: number): number {
  return Math.min(PAUSE_MAX_S, Math.max(PAUSE_MIN_S, Math.round(awaySeconds / PART)));
}
