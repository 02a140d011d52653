import { site } from "#src/settings/contract.ts";
import type { CreateShareBody } from "#src/shares/schemas.ts";
import { type Api, ApiError } from "../base/api/api.ts";
import { copyText } from "../base/browser/copy-text.ts";
import { refusalText } from "../ui/forms/refused.ts";
import { showToast } from "../ui/toast.tsx";

/** A tap lets a page share for a few seconds. A picture that takes longer is left out. */
const PICTURE_WAIT_MS = 2_500;

/** Makes the link, and hands it to what the device offers for sharing. */
export async function sendShare(api: Api, wish: CreateShareBody): Promise<void> {
  try {
    const { share } = await api.post("/api/v1/shares", { share: wish });
    await sendLink(share, `/shares?made=${share.id}`);
  } catch (error) {
    const text = error instanceof ApiError ? refusalText(error) : "No link was made. Try again in a moment.";
    showToast({ icon: "warning", text, urgent: true });
  }
}

/** What is handed to the device: an address of the product, and its picture if it has one of its own. */
type SentLink = { title: string; url: string; imageUrl?: string };

/** Hands a link to what the device offers for sharing, else copies it, else opens the page `otherwise`. */
export async function sendLink(link: SentLink, otherwise: string): Promise<void> {
  if (await offerToDevice(link)) return;
  if (await copyText(link.url)) showToast({ icon: "tick", text: "Link copied" });
  else globalThis.location.assign(otherwise);
}

/** @returns false where the device offers nothing, or refuses. A player who closes the device's sheet wanted that. */
async function offerToDevice({ title, url, imageUrl }: SentLink): Promise<boolean> {
  if (typeof navigator.share !== "function") return false;
  const withPicture = { title, url, files: imageUrl === undefined ? [] : await fetchPicture(imageUrl) };
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
    return response.ok ? [new File([await response.blob()], `${site().slug}.png`, { type })] : [];
  } catch {
    return [];
  }
}
