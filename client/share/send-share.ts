import type { CreateShareBody, ShareView } from "#src/shares/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { copyText } from "../base/browser/copy-text.ts";
import { refusalText } from "../ui/forms/refused.ts";
import { showToast } from "../ui/toast.tsx";
import { sharingTexts } from "./share-texts.ts";

/** A tap lets a page share for a few seconds. A picture that takes longer is left out. */
const PICTURE_WAIT_MS = 2_500;

/** Makes the link, and hands it to what the device offers for sharing. */
export async function sendShare(api: Api, wish: CreateShareBody): Promise<void> {
  try {
    const { share } = await api.post("/api/v1/shares", { share: wish });
    if (!(await offerToDevice(share))) await copy(share);
  } catch (error) {
    const text = error instanceof ApiError ? refusalText(error) : sharingTexts.failed;
    showToast({ icon: "warning", text, urgent: true });
  }
}

/** @returns false where the device offers nothing, or refuses. A player who closes the device's sheet wanted that. */
async function offerToDevice({ title, url, imageUrl }: ShareView): Promise<boolean> {
  if (typeof navigator.share !== "function") return false;
  const withPicture = { title, url, files: await fetchPicture(imageUrl) };
  const canTakeFiles =
    withPicture.files.length > 0 &&
    typeof navigator.canShare === "function" &&
    navigator.canShare(withPicture);
  try {
    await navigator.share(canTakeFiles ? withPicture : { title, url });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** The picture as a file; none where it does not come in time. */
async function fetchPicture(imageUrl: string): Promise<File[]> {
  try {
    const { pathname } = new URL(imageUrl);
    const response = await fetch(pathname, { signal: AbortSignal.timeout(PICTURE_WAIT_MS) });
    const type = "image/png";
    return response.ok ? [new File([await response.blob()], "called-it.png", { type })] : [];
  } catch {
    return [];
  }
}

/** Copies the link. Where the browser refuses that, the page with the link in a field opens. */
async function copy({ id, url }: ShareView): Promise<void> {
  if (await copyText(url)) showToast({ icon: "tick", text: sharingTexts.copied });
  else globalThis.location.assign(`/shares?made=${id}`);
}
