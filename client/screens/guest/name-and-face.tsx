import { Form, useActionData, useSearchParams } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { FacePicker, faceOf } from "#client/sign-ins/face-picker.tsx";
import * as texts from "#client/sign-ins/guest-texts.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { NameAndFaceRefusal } from "./change-name-and-face.ts";
import { chosenName } from "./chosen-name.ts";

/** How others see the guest. Both go into the account with the guest. */
export function NameAndFace() {
  const viewer = useViewer();
  const refusal = useActionData<NameAndFaceRefusal>();
  const [search] = useSearchParams();
  const form = useErrorFocus<HTMLFormElement>(refusal);
  if (viewer === null) return null;
  const errors = refusal?.errors["username"];
  return (
    <Form className="dialog" method="post" ref={form}>
      <h2>{texts.nameAndFace}</h2>
      {refusal === undefined && search.get("now") === "saved" ? <Note tone="ok">{texts.saved}</Note> : null}
      {refusal === undefined || errors !== undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
      <CsrfField />
      <Field
        label={texts.username}
        name="user[username]"
        autoComplete="nickname"
        maxLength={USERNAME_LENGTH_MAX}
        hint={texts.usernameHint}
        value={refusal?.username ?? chosenName(viewer)}
        errors={errors}
        optional
      />
      <FacePicker chosen={refusal?.face ?? faceOf(viewer.avatar)} />
      <Submit className="btn primary wide">{texts.save}</Submit>
    </Form>
  );
}
