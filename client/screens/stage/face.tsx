type FaceProps = { picture: string | null; username: string };

/** A player's picture, as high as the name beside it; without one the first letter of the name. */
export function Face({ picture, username }: FaceProps) {
  if (picture !== null) return <img className="face" src={picture} alt="" width={64} height={64} />;
  return (
    <span className="face" aria-hidden="true" translate="no">
      <span>{username.charAt(0).toUpperCase()}</span>
    </span>
  );
}
