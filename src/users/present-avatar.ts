import type { Avatar } from "./contract.ts";

/** The pictures of a user: none while nobody can send one, and initials are drawn. */
export function presentAvatar(): Avatar {
  return { default: null, thumb: null, small: null, medium: null, large: null, original: null };
}
