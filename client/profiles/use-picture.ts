import { useCallback, useEffect, useState } from "react";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import type { Crop } from "#src/profiles/schemas.ts";
import { centredIn, type Size } from "./crop.ts";

/** The types that the file field accepts. The server checks the bytes themselves. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/gif";
export const TOO_LARGE = "is too large (maximum is 5 MB)";

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
  if (!PICTURE_TYPES.split(",").includes(file.type)) return "must be a PNG, JPEG, WebP or GIF picture";
  if (file.size > UPLOAD_BYTES_MAX) return TOO_LARGE;
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const picture = { width: image.naturalWidth, height: image.naturalHeight };
    return { file, url, picture, crop: centredIn(picture) };
  } catch {
    URL.revokeObjectURL(url);
    return "cannot be read: the file is damaged";
  }
}
