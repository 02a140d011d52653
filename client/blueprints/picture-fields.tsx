import { useState } from "react";
import * as words from "#client/base/format/words.ts";
import { questionLimits } from "#db/lists/questions.ts";
import type { QuestionPicture } from "#src/show/events/schemas.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { readForm } from "../ui/forms/read-form.ts";
import { PictureFile } from "../ui/picture-file.tsx";
import { QuestionImage } from "../ui/question-image.tsx";
import { moreTexts } from "./more-texts.ts";

type PictureFieldsProps = { picture: QuestionPicture | null; typed: string | undefined; errors: FieldErrors };

/** The file of a question's picture, what it shows in words, and the way to remove it. */
export function PictureFields({ picture, typed, errors }: PictureFieldsProps) {
  const [alt, setAlt] = useState(typed ?? picture?.alt ?? "");
  return (
    <>
      {picture === null ? null : <QuestionImage className="question-picture" picture={picture} />}
      <PictureFile
        label={words.picture}
        id="event-picture"
        name="picture"
        hint={moreTexts.pictureHint}
        errors={errors["picture"]}
      />
      <Field
        label={moreTexts.pictureShows}
        name="picture_alt"
        maxLength={questionLimits.pictureAltLengthMax}
        hint={moreTexts.altHint}
        value={alt}
        onValue={setAlt}
        errors={errors["pictureAlt"]}
      />
      {picture === null ? null : <Checkbox name="remove_picture">Remove the picture</Checkbox>}
    </>
  );
}

/** A file that was refused has no signed id: the API says what is wrong with it. */
const REFUSED_FILE = "refused";

/** The picture as the API expects it. The server has replaced the file by its signed id. */
export function pictureIn(form: FormData) {
  const { picture, pictureAlt, removePicture } = readForm(form, {
    picture: "optional",
    pictureAlt: "text",
    removePicture: "checkbox",
  });
  if (removePicture) return { picture: null };
  const file = form.get("picture");
  const isRefused = file instanceof File && file.size > 0;
  return {
    pictureAlt: pictureAlt.trim(),
    ...(picture !== undefined && { picture }),
    ...(isRefused && { picture: REFUSED_FILE }),
  };
}

/** The picture of another question, for its copy. */
export function copiedPicture(picture: QuestionPicture | null) {
  return picture === null ? {} : { picture: picture.key, pictureAlt: picture.alt };
}
