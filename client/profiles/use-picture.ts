import { useCallback, useEffect, useState } from "react";
import { UPLOAD_BYTES_MAX } from "#src/http/contract.ts";
import type { Crop } from "#src/profiles/schemas.ts";
import { centredIn, type Size } from "./crop.ts";

/** What a file field offers; the server looks at the bytes themselves. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/gif";
export const TOO_LARGE = "is too large (maximum is 5 MB)";

/** A picture of this computer that is about to be sent. */
export type Chosen = { file: File; url: string; picture: Size; crop: Crop };

/** The picture that was chosen, the square of it, and what is wrong with the file where it cannot be one. */
export function usePicture() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const url = chosen?.url;
  useEffect(() => {
    if (url === undefined) return;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  const choose = useCallback(async (file: File | undefined) => {
    const found = file === undefined ? null : await look(file);
    setProblem(typeof found === "string" ? found : null);
    setChosen(typeof found === "string" ? null : found);
  }, []);
  return {
    chosen,
    problem,
    setProblem,
    setCrop: (crop: Crop) => setChosen((known) => known && { ...known, crop }),
    choose,
  };
}

async function look(file: File): Promise<Chosen | string> {
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
