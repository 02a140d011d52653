import { type FormEvent, useEffect, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import type { Refused } from "#client/ui/forms/refused.ts";
import { ariaOf, Labelled } from "#client/ui/labelled.tsx";
import { Note } from "#client/ui/note.tsx";
import type { Crop } from "#src/people/avatars/schemas.ts";
import { DIRECT_UPLOADS_PATH } from "#src/people/storage/contract.ts";
import { Cropper, CropPreview } from "./cropper.tsx";
import * as texts from "./profile-texts.ts";
import { type ChosenPicture, PICTURE_TYPES, usePicture } from "./use-picture.ts";

const TOO_MANY = 429;

/** A failed upload. The message is shown to the user. */
class UploadFailed extends Error {
  override readonly name = "UploadFailed";
}

const FIELD = "user[avatar]";
const HINT = texts.pictureHint;

/** The form of a new picture. Without JavaScript the file is posted with the form, and the picture is cropped to its middle. */
export function AvatarForm({ refused }: { refused: Refused | undefined }) {
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
    if (chosen === null) setProblem(problem ?? texts.notChosen);
    else if (!busy) void send(chosen);
  };
  return (
    <Form className="body stack" method="post" encType="multipart/form-data" onSubmit={submit}>
      <CsrfField />
      {failure === null ? null : <Note tone="bad">{failure}</Note>}
      {refused === undefined || errors.length > 0 ? null : <Note tone="bad">{refused.refusal}</Note>}
      <Labelled label={texts.picture} id="avatar" hint={HINT} errors={errors}>
        <input
          className="input file"
          id="avatar"
          ref={field}
          name={FIELD}
          type="file"
          accept={PICTURE_TYPES}
          {...ariaOf("avatar", { hint: HINT, errors })}
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </Labelled>
      {chosen === null ? null : <CropField chosen={chosen} onCrop={setCrop} />}
      {share === null ? null : (
        <progress className="upload" aria-label={texts.upload} value={share} max={1} />
      )}
      <button className="btn primary" type="submit" aria-disabled={busy}>
        {share === null ? texts.savePicture : texts.sending(Math.round(share * 100))}
      </button>
    </Form>
  );
}

function CropField({ chosen, onCrop }: { chosen: ChosenPicture; onCrop: (crop: Crop) => void }) {
  return (
    <>
      <Cropper {...chosen} onCrop={onCrop} />
      <p className="small ink2" id="crop-hint">
        {texts.cropHint}
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
 * @throws UploadFailed
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
  if (status === 0) return texts.serverUnreachable;
  if (status === TOO_MANY) return texts.tooManyUploads;
  return texts.uploadFailed;
}
