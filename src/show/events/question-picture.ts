import { and, inArray, isNotNull, isNull } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { pictureKey } from "#db/lists/questions.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import {
  attachPicture,
  type PictureKind,
  type StoredPicture,
  storeUpload,
} from "#src/people/pictures/store-picture.ts";
import type { QuestionPicture } from "./schemas.ts";

// Decision: a picture belongs to the account that sent it, so its export names it and its erasure deletes it: the question then has the
// alternative text. Copies of a question share its file. It is read at the address of its question, and only by who may read that.

/** How the picture of a question is made. The index `blobs_of_questions` has the name of its file. */
export const questionPictureKind: PictureKind = {
  filename: "question.webp",
  contentType: "image/webp",
  size: { width: 1_280, height: 1_280 },
};

const side = v.pipe(v.number(), v.minValue(1));
const size = v.object({ width: side, height: side });
/** The picture of a row; none where another release has stored something else. */
const stored = v.fallback(
  v.nullable(v.object({ key: v.string(), alt: v.pipe(v.string(), v.nonEmpty()), ...size.entries })),
  null,
);

/** The picture of an event or of a blueprint's event. @param base the address of the question. */
export function presentPicture(picture: unknown, base: string): QuestionPicture | null {
  const known = v.parse(stored, picture);
  if (known === null) return null;
  const { key, width, height, alt } = known;
  return { url: `${base}/pictures/${key}`, key, width, height, alt };
}

/** The pictures that a request names, by what it calls them. */
export type Pictures = ReadonlyMap<string, StoredPicture>;
export const noPictures: Pictures = new Map();

type Named = { picture?: string | null | undefined; pictureAlt?: string | undefined };

/**
 * Makes the pictures that questions name: an upload of the viewer by its signed id, or a picture that a question has by its key.
 * @throws Refusal 422 for one without its alternative text, and for what is no accepted picture.
 */
export async function storePictures(
  deps: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number } | null,
  questions: readonly Named[],
): Promise<Pictures> {
  const names = new Set<string>();
  for (const { picture, pictureAlt } of questions) {
    if (picture == null) continue;
    if ((pictureAlt ?? "") === "") throw wordless();
    names.add(picture);
  }
  const pictures = new Map(await findPictures(deps.pool.db, [...names]));
  for (const signedId of names) {
    if (pictures.has(signedId)) continue;
    if (viewer === null || pictureKey.test(signedId)) throw invalid({ picture: ["is invalid"] });
    const upload = { viewer, signedId, field: "picture", ownerId: viewer.id };
    pictures.set(signedId, await storeUpload(deps, questionPictureKind, upload));
  }
  return pictures;
}

/** The pictures that questions have already, by these keys. Of other texts there is none. */
export async function findPictures(db: Queryable, names: readonly string[]): Promise<Pictures> {
  const keys = names.filter((name) => pictureKey.test(name));
  if (keys.length === 0) return noPictures;
  const rows = await db
    .select({ key: blobs.key, blobId: blobs.id, metadata: blobs.metadata })
    .from(blobs)
    .where(
      and(
        inArray(blobs.key, keys),
        inArray(blobs.filename, [questionPictureKind.filename]),
        isNotNull(blobs.attachedAt),
        isNull(blobs.discardedAt),
      ),
    );
  return new Map(
    rows.map(({ metadata, ...row }) => [row.key, { ...row, uploadId: null, ...v.parse(size, metadata) }]),
  );
}

/** Attaches those that are new, in the transaction that stores their questions. */
export async function attachPictures(tx: Queryable, pictures: Pictures): Promise<void> {
  for (const picture of pictures.values()) if (picture.uploadId !== null) await attachPicture(tx, picture);
}

const wordless = () =>
  invalid(
    { pictureAlt: ["can't be blank"] },
    { detail: "Say in words what the picture shows, for everybody who does not see it." },
  );

/**
 * The column after a change; undefined where it stays.
 * @param before what the row has.
 * @throws Refusal 422 for a picture without its alternative text, and for a text without a picture.
 */
export function pictureAfter(
  { picture: name, pictureAlt: alt }: Named,
  pictures: Pictures,
  before: unknown = null,
) {
  if (name === null) return null;
  const known = v.parse(stored, before);
  if (name === undefined) return alt === undefined ? undefined : withText(known, alt);
  const made = pictures.get(name);
  if (made === undefined) throw invalid({ picture: ["is invalid"] });
  const { key, width, height } = made;
  return known?.key === key && known.alt === alt ? undefined : { key, width, height, alt };
}

/** Another text for the same picture. A form without a picture sends an empty one. */
function withText(known: v.InferOutput<typeof stored>, alt: string) {
  if (known === null && alt !== "") throw invalid({ picture: ["can't be blank"] });
  if (known === null || alt === known.alt) return undefined;
  if (alt === "") throw wordless();
  return { ...known, alt };
}
