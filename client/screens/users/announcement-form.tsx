import { useEffect, useRef } from "react";
import { Form, useActionData, useNavigation } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { ANNOUNCEMENT_BODY_MAX, ANNOUNCEMENT_TITLE_MAX } from "#src/people/notifications/contract.ts";
import type { AnnouncementRefusal } from "./announce.ts";
import * as texts from "./announcement-texts.ts";

/** For admins: the form of an announcement to all users. It is emptied once it is sent. */
export function AnnouncementForm({ formKey }: { formKey: string }) {
  const refusal = useActionData<AnnouncementRefusal>();
  return (
    <Panel title={texts.tellEverybody}>
      <Form className="stack body" method="post" ref={useResetAfterSend(refusal)}>
        <CsrfField />
        <input type="hidden" name="key" value={formKey} />
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <Field
          label={texts.announcement}
          name="title"
          maxLength={ANNOUNCEMENT_TITLE_MAX}
          hint={texts.announcementHint}
          value={refusal?.title ?? ""}
          errors={refusal?.errors["title"]}
        />
        <Field
          label={texts.moreAboutIt}
          name="body"
          type="textarea"
          optional
          maxLength={ANNOUNCEMENT_BODY_MAX}
          value={refusal?.body ?? ""}
          errors={refusal?.errors["body"]}
        />
        <Submit className="btn">{texts.announce}</Submit>
      </Form>
    </Panel>
  );
}

function useResetAfterSend(refusal: AnnouncementRefusal | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useNavigation().formMethod === "POST";
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current && !sending && refusal === undefined) form.current?.reset();
    sent.current = sending;
  }, [sending, refusal]);
  return form;
}
