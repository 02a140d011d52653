import { expect } from "bun:test";
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Person } from "../users/person.ts";

const announced = v.object({
  signed_id: v.string(),
  direct_upload: v.object({ url: v.string(), headers: v.record(v.string(), v.string()) }),
});

/** Uploads a picture and makes it the avatar of this browser's user. */
export async function uploadPicture(
  person: Person,
  userId: number,
  { filename, bytes }: { filename: string; bytes: Uint8Array },
): Promise<void> {
  const checksum = createHash("md5").update(bytes).digest("base64");
  const blob = { filename, content_type: "image/png", byte_size: bytes.length, checksum };
  const response = await person.send("POST", "/api/v1/storage/direct_uploads", { body: { blob } });
  expect(response.status).toBe(201);
  const { signed_id: avatar, direct_upload: upload } = v.parse(announced, await response.json());
  const url = new URL(upload.url, "http://localhost:3000");
  const put = new Request(url, { method: "PUT", headers: upload.headers, body: bytes.slice() });
  expect((await person.pass(put)).status).toBe(204);
  const change = await person.send("PATCH", `/api/v1/users/${userId}`, { body: { user: { avatar } } });
  expect(change.status).toBe(200);
}
