import type { Avatar } from "#src/people/avatars/schemas.ts";

/** A player's picture, as high as the name beside it. Initials would be too small to be read from afar. */
export function Face({ avatar }: { avatar: Avatar }) {
  if (avatar.medium === null) return <span className="face" aria-hidden="true" />;
  return <img className="face" src={avatar.medium} alt="" width={64} height={64} />;
}
