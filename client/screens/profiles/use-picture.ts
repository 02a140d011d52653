import { useCallback, useEffect, useState } from "react";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import type { Crop } from "#src/people/avatars/schemas.ts";
import { findPictureFault } from "#src/people/storage/contract.ts";
import { centredIn, type Size } from "./crop.ts";
import * as texts from "./profile-texts.ts";

/** The types that the file field accepts. The server checks the bytes themselves. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/gif";
export const TOO_LARGE = texts.tooLarge;

/** True for a file of a type that the file field accepts. */
export function isPicture(file: File): boolean {
  return PICTURE_TYPES.split(",").includes(file.type);
}

/** What is wrong with the bytes of a picture, as the server would say once it is sent; null for a picture of its type. */
export async function faultOf(file: File): Promise<string | null> {
  return findPictureFault(new Uint8Array(await file.arrayBuffer()), file.type);
}

/** A local picture that is not uploaded yet, and the square to crop. */
export type ChosenPicture = { file: File; url: string; picture: Size; crop: Crop };

/** The chosen picture and its square, or the problem with the file. */
export function usePicture() {
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
  if (!isPicture(file)) return texts.notAPicture;
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
    return texts.fileDamaged;
  }
}
