import { Form, useActionData, useLoaderData, useNavigation, useSearchParams } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { USERNAME_LENGTH_MAX } from "#src/people/users/contract.ts";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import * as texts from "./profile-texts.ts";
import type { DetailsRefusal } from "./send-details.ts";

/** The form of the viewer's username and phone number. */
export function DetailsScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<DetailsRefusal>();
  const busy = useNavigation().state !== "idle";
  const [search] = useSearchParams();
  return (
    <PageLayout title={texts.details}>
      <Panel title={texts.aboutYou}>
        <Form className="body stack narrow" method="post" action="/profile/details">
          <CsrfField />
          {search.has("saved") && refused === undefined ? <Note tone="ok">{texts.saved}</Note> : null}
          {refused === undefined || Object.keys(refused.errors).length > 0 ? null : (
            <Note tone="bad">{refused.refusal}</Note>
          )}
          <Field
            label={texts.username}
            name="user[username]"
            autoComplete="nickname"
            maxLength={USERNAME_LENGTH_MAX}
            value={refused?.username ?? user.username}
            hint={texts.usernameHint}
            errors={refused?.errors["username"]}
          />
          <Field
            label={texts.phone}
            name="user[phone]"
            type="tel"
            autoComplete="tel"
            optional
            value={refused?.phone ?? user.phone ?? ""}
            hint={texts.phoneHint}
            errors={refused?.errors["phone"]}
          />
          <button className="btn primary" type="submit" aria-disabled={busy}>
            {texts.saveDetails}
          </button>
        </Form>
      </Panel>
    </PageLayout>
  );
}
