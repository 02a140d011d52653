import * as v from "valibot";
import { directUploadAnswer, type DirectUploadAnswer } from "#src/people/storage/schemas.ts";
import { md5Of } from "#src/people/storage/store-upload.ts";
import type { TestClient } from "#tests/support/client.ts";
import type { Server } from "#tests/support/server.ts";

/** Bytes that begin like a PNG: enough to be stored, and not enough to be shown. */
export const PNG_BYTES = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
  Buffer.from("I called it."),
]);

/** The announcement of these bytes. */
export function announcementOf(bytes: Uint8Array, { name = "notes.png", type = "image/png" } = {}) {
  return { filename: name, byte_size: bytes.byteLength, checksum: md5Of(bytes), content_type: type };
}

/** Announces an upload and expects success. */
export async function announce(browser: TestClient, blob: object): Promise<DirectUploadAnswer> {
  const { status, body } = await browser.send("POST", "/api/v1/storage/direct_uploads", { blob });
  if (status !== 201) throw new Error(`the announcement was refused: ${JSON.stringify(body)}`);
  return v.parse(directUploadAnswer, body);
}

/** Sends the bytes to the announced address, without a sign-in. */
export async function sendBytes(
  server: Server,
  { url, headers }: DirectUploadAnswer["directUpload"],
  bytes: Uint8Array,
): Promise<Response> {
  return server.handle(new Request(url, { method: "PUT", headers, body: new Uint8Array(bytes) }));
}

/** Announces and sends a file. Returns the signed id by which it can be attached. */
export async function upload(
  server: Server,
  browser: TestClient,
  bytes: Uint8Array,
  file: { name?: string; type?: string } = {},
): Promise<DirectUploadAnswer> {
  const announced = await announce(browser, announcementOf(bytes, file));
  const sent = await sendBytes(server, announced.directUpload, bytes);
  if (sent.status !== 204) throw new Error(`the bytes were refused: ${sent.status} ${await sent.text()}`);
  return announced;
}
