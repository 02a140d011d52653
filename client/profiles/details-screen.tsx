import { Form, useActionData, useLoaderData, useNavigation, useSearchParams } from "react-router";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import type { DetailsRefusal } from "./send-details.ts";

/** The form of the viewer's username and phone number. */
export function DetailsScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<DetailsRefusal>();
  const busy = useNavigation().state !== "idle";
  const [search] = useSearchParams();
  return (
    <PageLayout title="Details">
      <Panel title="About you">
        <Form className="body stack narrow" method="post" action="/profile/details">
          <CsrfField />
          {search.has("saved") && refused === undefined ? <Note tone="ok">Saved.</Note> : null}
          {refused === undefined || Object.keys(refused.errors).length > 0 ? null : (
            <Note tone="bad">{refused.refusal}</Note>
          )}
          <Field
            label="Username"
            name="user[username]"
            autoComplete="nickname"
            maxLength={20}
            value={refused?.username ?? user.username}
            hint="3 to 20 letters, digits and underscores. Everybody sees it."
            errors={refused?.errors["username"]}
          />
          <Field
            label="Phone"
            name="user[phone]"
            type="tel"
            autoComplete="tel"
            optional
            value={refused?.phone ?? user.phone ?? ""}
            hint="With the country in front: +1 415 555 0100. Other players do not see it."
            errors={refused?.errors["phone"]}
          />
          <button className="btn primary" type="submit" aria-disabled={busy}>
            Save details
          </button>
        </Form>
      </Panel>
    </PageLayout>
  );
}
