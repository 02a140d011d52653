import { useState } from "react";
import { initialsOf } from "#client/ui/avatar.tsx";

/** A player's picture, as high as the name beside it; without one, or where it cannot be loaded, the first letter of the name. */
export function Face({ picture, username }: { picture: string | null; username: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (picture !== null && picture !== broken) {
    const setIfBroken = () => setBroken(picture);
    return (
      <img
        className="face"
        src={picture}
        alt=""
        width={64}
        height={64}
        onError={setIfBroken}
        // It may have failed before the page was hydrated.
        ref={(image) => void (image?.complete === true && image.naturalWidth === 0 && setIfBroken())}
      />
    );
  }
  return (
    <span className="face" aria-hidden="true" translate="no">
      <span>{initialsOf(username, 1)}</span>
    </span>
  );
}
