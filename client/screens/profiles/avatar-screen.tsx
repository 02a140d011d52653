import { useEffect, useState } from "react";
import { Form, useActionData, useLoaderData, useRevalidator } from "react-router";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { FacePicker, faceOf } from "#client/sign-ins/face-picker.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import type { ProfileAnswer, ProfileView } from "#src/profiles/schemas.ts";
import { AvatarForm } from "./avatar-form.tsx";
import * as texts from "./profile-texts.ts";

/** The viewer's picture: choose, crop, upload, remove. */
export function AvatarScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<Refused>();
  useReloadOnNewAvatar();
  return (
    <PageLayout title={texts.picture}>
      <div className="split">
        <div className="stack wide">
          <Panel title={texts.newPicture}>
            <AvatarForm key={useSaveCount(user)} refused={refused} />
          </Panel>
          <Faces user={user} />
        </div>
        <CurrentPicture user={user} />
      </div>
    </PageLayout>
  );
}

/** A drawn face, in the place of a picture. */
function Faces({ user }: { user: ProfileView }) {
  return (
    <Panel title={texts.drawnFaces}>
      <Form className="body stack" method="post" preventScrollReset>
        <CsrfField />
        <FacePicker chosen={faceOf(user.avatar)} />
        <Submit className="btn" intent="face">
          {texts.useFace}
        </Submit>
      </Form>
    </Panel>
  );
}

function CurrentPicture({ user }: { user: ProfileView }) {
  return (
    <Panel title={texts.yourPicture}>
      <div className="body stack">
        <Avatar name={user.username} avatar={user.avatar} size="xl" />
        {user.avatarPending ? <Note>{texts.pictureBeingMade}</Note> : null}
        {user.avatar.default === null && !user.avatarPending ? (
          <p className="small ink2">{texts.noPictureHint}</p>
        ) : (
          <Form method="post">
            <CsrfField />
            <button className="btn" type="submit" name="intent" value="remove">
              {texts.removePicture}
            </button>
          </Form>
        )}
      </div>
    </Panel>
  );
}

/**
 * Counts the saved changes; each one resets the form. A finished background resize is not counted, because the next picture
 * may be chosen already.
 */
function useSaveCount(user: ProfileView): number {
  const [previous, setPrevious] = useState(user);
  const [count, setCount] = useState(0);
  if (previous.updatedAt !== user.updatedAt) {
    setPrevious(user);
    if (!previous.avatarPending || user.avatarPending) setCount(count + 1);
  }
  return count;
}

/** Reloads the page's data when the cable brings a new avatar. */
function useReloadOnNewAvatar(): void {
  const { revalidate } = useRevalidator();
  const newest = useNewestViewer()?.avatar.default;
  const { user } = useLoaderData<ProfileAnswer>();
  const stale = newest !== undefined && newest !== user.avatar.default;
  useEffect(() => {
    if (stale) void revalidate();
  }, [stale, newest, revalidate]);
}
