import type { QuestionPicture } from "#src/show/events/schemas.ts";

type QuestionImageProps = { picture: QuestionPicture; className?: string; query?: string };

/** The picture of a question. Its size is known, so nothing moves when it comes. @param query behind its address. */
export function QuestionImage({ picture, className, query = "" }: QuestionImageProps) {
  const { url, alt, width, height } = picture;
  return <img className={className} src={url + query} alt={alt} width={width} height={height} />;
}

/** What is asked next, here before its clock starts. */
export function preloadPictures(
  events: readonly { id: number; state: string; picture?: QuestionPicture | undefined }[],
  query = "",
) {
  return events.map(({ id, state, picture }) =>
    state !== "visible" || picture === undefined ? null : (
      <link key={id} rel="preload" as="image" href={picture.url + query} />
    ),
  );
}
