import { createHash } from "node:crypto";
import { expect, type Page } from "playwright/test";
import type { DirectUploadAnswer } from "#src/people/storage/schemas.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import type { Api } from "../show-host.ts";

/** Sends a picture as the user of a page, and returns the signed id by which it is used. */
export async function sendPicture(
  api: Api,
  { request }: Page,
  size: { width: number; height: number },
): Promise<string> {
  const bytes = await picture("png", size);
  const blob = {
    filename: "picture.png",
    byte_size: bytes.byteLength,
    checksum: createHash("md5").update(bytes).digest("base64"),
    content_type: "image/png",
  };
  const announced = await api<DirectUploadAnswer>("POST", "/api/v1/storage/direct_uploads", { blob });
  const { url, headers } = announced.directUpload;
  expect((await request.put(url, { headers, data: Buffer.from(bytes) })).status()).toBe(204);
  return announced.signedId;
}
