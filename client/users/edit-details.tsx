import { Form } from "react-router";
import type { ProfileView } from "#src/profiles/schemas.ts";
import { USERNAME_LENGTH_MAX } from "#src/users/contract.ts";
import { VERSION_FIELD } from "../base-version.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Submit } from "../ui/submit.tsx";
import type { UserRefusal } from "./act-on-user.ts";
import * as texts from "./users-texts.ts";

/** For admins: the form of a user's name and phone number. */
export function EditDetails({ user, refusal }: { user: ProfileView; refusal: UserRefusal | undefined }) {
  return (
    <Panel title={texts.details}>
      <Form className="stack body" method="post">
        <CsrfField />
        <input type="hidden" name={VERSION_FIELD} value={user.version} />
        {refusal === undefined || Object.keys(refusal.errors).length > 0 ? null : (
          <Note tone="bad">{refusal.refusal}</Note>
        )}
        <Field
          label={texts.username}
          name="username"
          maxLength={USERNAME_LENGTH_MAX}
          value={refusal?.username ?? user.username}
          hint={texts.usernameHint}
          errors={refusal?.errors["username"]}
        />
        <Field
          label={texts.phone}
          name="phone"
          type="tel"
          optional
          value={refusal?.phone ?? user.phone ?? ""}
          hint={texts.phoneHint}
          errors={refusal?.errors["phone"]}
        />
        <Submit className="btn" intent="details">
          {texts.saveDetails}
        </Submit>
      </Form>
    </Panel>
  );
}
