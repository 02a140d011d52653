import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { data, useActionData, useLoaderData, useNavigation, useRevalidator, useSubmit } from "react-router";
import * as words from "#client/base/format/words.ts";
import { pageContext, useClosed } from "#client/base/page/context.ts";
import type { ActionArgs } from "#client/base/page/handle.ts";
import { useNewestViewer } from "#client/notifications/newest-viewer.ts";
import { faceOf, FacePicker } from "#client/sign-ins/face-picker.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { PICTURE_TYPES, PictureFile } from "#client/ui/picture-file.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import type { Crop } from "#src/people/avatars/schemas.ts";
import { DIRECT_UPLOADS_PATH, pictureTypeOf } from "#src/people/storage/contract.ts";
import type { ProfileAnswer, ProfileView } from "#src/profiles/schemas.ts";
import { CropPreview, Cropper, centredIn, type Size } from "./cropper.tsx";

const FIELD = "user[avatar]";
const HINT = "PNG, JPEG, WebP or GIF, up to 5 MB.";
const TOO_LARGE = "is too large (maximum is 5 MB)";

/** The viewer's picture: choose, crop, upload, remove. */
export function AvatarScreen() {
  const { user } = useLoaderData<ProfileAnswer>();
  const refused = useActionData<Refused>();
  const saves = useSaveCount(user);
  const closed = useClosed("uploads");
  useReloadOnNewAvatar();
  return (
    <PageLayout title={words.picture}>
      <div className="split">
        <div className="stack wide">
          <Panel title="New picture">
            {closed === undefined ? (
              <AvatarForm key={saves} refused={refused} />
            ) : (
              <div className="body">
                <Note>{closed}</Note>
              </div>
            )}
          </Panel>
          <Faces user={user} />
        </div>
        <CurrentPicture user={user} />
      </div>
    </PageLayout>
  );
}

function Faces({ user }: { user: ProfileView }) {
  return (
    <Panel title="Or a drawn face">
      <PostForm className="body stack" preventScrollReset>
        <FacePicker chosen={faceOf(user.avatar)} />
        <Submit className="btn" intent="face">
          Use this face
        </Submit>
      </PostForm>
    </Panel>
  );
}

function CurrentPicture({ user }: { user: ProfileView }) {
  return (
    <Panel title="Your picture" body="stack">
      <Avatar name={user.username} avatar={user.avatar} size="xl" />
      {user.avatarPending ? <Note>Your new picture is being made. It appears here in a moment.</Note> : null}
      {user.avatar.default === null && !user.avatarPending ? (
        <p className="small ink2">You have none yet: the first letters of your name are shown instead.</p>
      ) : (
        <PostForm>
          <button className="btn" type="submit" name="intent" value="remove">
            Remove picture
          </button>
        </PostForm>
      )}
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

/**
 * Saves the picture or the face of the form, or removes the old one. The file itself is uploaded before: the form then holds its signed
 * id instead. Where the form still holds a file, the upload was refused.
 */
export async function sendAvatar({ api, context, request }: ActionArgs) {
  const { viewer, closed } = context.get(pageContext);
  const form = await request.formData();
  const { intent } = readForm(form, { intent: "text" });
  const problem = intent === "" ? await problemIn(form, closed?.uploads) : null;
  if (problem !== null) return data<Refused>({ refusal: "", errors: { avatar: [problem] } }, { status: 422 });
  const user = changeIn(form, intent);
  try {
    await api.patch(`/api/v1/users/${viewer?.id}`, { user });
  } catch (error) {
    return refuseForm(error, {});
  }
  return seeOther("/profile/avatar");
}

function changeIn(form: FormData, intent: string) {
  if (intent === "remove") return { avatar: null };
  return intent === "face" ? readForm(form, { face: "number" }, inUser) : pictureIn(form);
}

/** @param closed why no picture is taken. */
async function problemIn(form: FormData, closed: string | undefined): Promise<string | null> {
  if (closed !== undefined) return closed;
  const sent = form.get(inUser("avatar"));
  if (typeof sent === "string" && sent !== "") return null;
  if (sent === null || typeof sent === "string" || sent.size === 0) return "is not chosen yet";
  if (sent.size > UPLOAD_BYTES_MAX) return TOO_LARGE;
  if (!isPicture(sent)) return words.mustBeAPicture;
  return (await faultOf(sent)) ?? "cannot be taken now: try again later";
}

/** Without JavaScript no square is sent. */
function pictureIn(form: FormData) {
  const { avatar } = readForm(form, { avatar: "text" }, inUser);
  const fields = { x: "number", y: "number", size: "number" } as const;
  const crop = readForm(form, fields, (part) => `user[crop][${part}]`);
  return crop.size === undefined ? { avatar } : { avatar, crop };
}

/** A failed upload. The message is shown to the user. */
class UploadFailed extends Error {
  override readonly name = "UploadFailed";
}

/** The form of a new picture. Without JavaScript the file is posted with the form, and the picture is cropped to its middle. */
function AvatarForm({ refused }: { refused: Refused | undefined }) {
  const { chosen, problem, setProblem, setCrop, choose } = usePicture();
  const { share, failure, send } = useUpload();
  const field = useRef<HTMLInputElement>(null);
  const busy = useNavigation().state !== "idle" || share !== null;
  const errors = problem === null ? errorsIn(refused) : [problem];
  useEffect(() => {
    // The file may have been chosen before the page was hydrated.
    const earlyFile = field.current?.files?.[0];
    if (earlyFile !== undefined) void choose(earlyFile);
  }, [choose]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (chosen === null) setProblem(problem ?? "is not chosen yet");
    else if (!busy) void send(chosen);
  };
  return (
    <PostForm className="body stack" encType="multipart/form-data" onSubmit={submit}>
      {failure === null ? null : <Note tone="bad">{failure}</Note>}
      {refused === undefined || errors.length > 0 ? null : <Note tone="bad">{refused.refusal}</Note>}
      <PictureFile
        label={words.picture}
        id="avatar"
        name={FIELD}
        hint={HINT}
        errors={errors}
        ref={field}
        onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
      />
      {chosen === null ? null : <CropField chosen={chosen} onCrop={setCrop} />}
      {share === null ? null : <progress className="upload" aria-label="Upload" value={share} max={1} />}
      <button className="btn primary" type="submit" aria-disabled={busy}>
        {share === null ? "Save picture" : `Sending ${Math.round(share * 100)}%`}
      </button>
    </PostForm>
  );
}

function CropField({ chosen, onCrop }: { chosen: ChosenPicture; onCrop: (crop: Crop) => void }) {
  return (
    <>
      <Cropper {...chosen} onCrop={onCrop} />
      <p className="small ink2" id="crop-hint">
        Drag the square, or move it with the arrow keys and size it with + and -.
      </p>
      <CropPreview {...chosen} />
    </>
  );
}

function errorsIn(refused: Refused | undefined): string[] {
  return [...(refused?.errors["avatar"] ?? []), ...(refused?.errors["crop"] ?? [])];
}

/** Uploads the chosen picture, then submits its signed id to the page's action. */
function useUpload() {
  const submit = useSubmit();
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async ({ file, crop }: ChosenPicture) => {
    setShare(0);
    setFailure(null);
    try {
      const signedId = await uploadPicture(file, setShare);
      const square = Object.entries(crop).map(([part, px]) => [`user[crop][${part}]`, String(px)]);
      await submit(Object.fromEntries([[FIELD, signedId], ...square]), { method: "post" });
    } catch (error) {
      if (!(error instanceof UploadFailed)) throw error;
      setFailure(error.message);
    } finally {
      setShare(null);
    }
  };
  return { share, failure, send };
}

/**
 * Uploads a file with Active Storage's public client.
 * @param onProgress called with the share that is sent, from 0 to 1.
 * @returns the signed id of the upload.
 */
async function uploadPicture(file: File, onProgress: (share: number) => void): Promise<string> {
  const { DirectUpload } = await import("@rails/activestorage");
  let last: XMLHttpRequest | undefined;
  const delegate = {
    directUploadWillCreateBlobWithXHR: (xhr: XMLHttpRequest) => {
      last = xhr;
    },
    directUploadWillStoreFileWithXHR: (xhr: XMLHttpRequest) => {
      last = xhr;
      xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / total));
    },
  };
  return new Promise((resolve, reject) => {
    new DirectUpload(file, DIRECT_UPLOADS_PATH, delegate).create((error, blob) => {
      if (error === null && blob !== undefined) resolve(blob.signed_id);
      else reject(new UploadFailed(reasonOf(last?.status ?? 0)));
    });
  });
}

function reasonOf(status: number): string {
  if (status === 0) return "The server cannot be reached. Try again when you are back.";
  if (status === 429) return "Too many uploads. Try again in an hour.";
  return "The picture did not arrive. Try again.";
}

function isPicture(file: File): boolean {
  return PICTURE_TYPES.split(",").includes(file.type);
}

/** What is wrong with the bytes of a picture, as the server would say once it is sent; null for a picture. */
async function faultOf(file: File): Promise<string | null> {
  return pictureTypeOf(new Uint8Array(await file.arrayBuffer())) === null ? words.mustBeAPicture : null;
}

/** A local picture that is not uploaded yet, and the square to crop. */
type ChosenPicture = { file: File; url: string; picture: Size; crop: Crop };

function usePicture() {
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const url = chosen?.url;
  useEffect(() => {
    if (url === undefined) return;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  const choose = useCallback(async (file: File | undefined) => {
    const picture = file === undefined ? null : await readPicture(file);
    setProblem(typeof picture === "string" ? picture : null);
    setChosen(typeof picture === "string" ? null : picture);
  }, []);
  return {
    chosen,
    problem,
    setProblem,
    setCrop: (crop: Crop) => setChosen((known) => known && { ...known, crop }),
    choose,
  };
}

async function readPicture(file: File): Promise<ChosenPicture | string> {
  if (!isPicture(file)) return words.mustBeAPicture;
  if (file.size > UPLOAD_BYTES_MAX) return TOO_LARGE;
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const picture = { width: image.naturalWidth, height: image.naturalHeight };
    const fault = await faultOf(file);
    if (fault === null) return { file, url, picture, crop: centredIn(picture) };
    URL.revokeObjectURL(url);
    return fault;
  } catch {
    URL.revokeObjectURL(url);
    return "cannot be read: the file is damaged";
  }
}
