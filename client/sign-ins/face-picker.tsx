import { FACES_COUNT, facePath } from "#src/people/avatars/contract.ts";
import type { Avatar } from "#src/people/avatars/schemas.ts";

const faces = Array.from({ length: FACES_COUNT }, (_, index) => index + 1);

type FacePickerProps = { chosen: number | undefined; onChoose?: (face: number) => void };

/** The drawn faces, of which one can be chosen. Works without JavaScript too. */
export function FacePicker({ chosen, onChoose }: FacePickerProps) {
  return (
    <fieldset
      className="faces"
      onChange={({ target }) => target instanceof HTMLInputElement && onChoose?.(Number(target.value))}
    >
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

/** The same folded: a face is chosen already, and the pictures of the others are fetched when it is opened. */
export function FaceFold(picker: FacePickerProps) {
  return (
    <details className="fold">
      <summary className="small">Choose a face</summary>
      <FacePicker {...picker} />
    </details>
  );
}

/** The number of the face that an avatar shows; undefined for a picture, and for none. */
export function faceOf({ default: address }: Pick<Avatar, "default">): number | undefined {
  return faces.find((face) => facePath(face) === address);
}
