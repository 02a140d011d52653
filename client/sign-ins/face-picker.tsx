import { FACES_COUNT, facePath } from "#src/people/avatars/contract.ts";
import type { Avatar } from "#src/people/avatars/schemas.ts";

const faces = Array.from({ length: FACES_COUNT }, (_, index) => index + 1);

/** The drawn faces, of which one can be chosen. Works without JavaScript too. */
export function FacePicker({ chosen }: { chosen: number | undefined }) {
  return (
    <fieldset className="faces">
      <legend className="vh">Your face</legend>
      {faces.map((face) => (
        <label key={face}>
          <input type="radio" name="user[face]" value={face} defaultChecked={face === chosen} />
          <img src={facePath(face)} alt={`Face ${face}`} width={48} height={48} loading="lazy" />
        </label>
      ))}
    </fieldset>
  );
}

/** The same folded: nobody needs a face to play, and the pictures are fetched when it is opened. */
export function FaceFold({ chosen }: { chosen: number | undefined }) {
  return (
    <details className="fold" open={chosen !== undefined}>
      <summary className="small">Choose a face</summary>
      <FacePicker chosen={chosen} />
    </details>
  );
}

/** The number of the face that an avatar shows; undefined for a picture, and for none. */
export function faceOf({ default: address }: Pick<Avatar, "default">): number | undefined {
  return faces.find((face) => facePath(face) === address);
}
