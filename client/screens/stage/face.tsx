/** A player's picture, as high as the name beside it. Initials would be too small to be read from afar. */
export function Face({ picture }: { picture: string | null }) {
  if (picture === null) return <span className="face" aria-hidden="true" />;
  return <img className="face" src={picture} alt="" width={64} height={64} />;
}
