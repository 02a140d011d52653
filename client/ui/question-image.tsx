import type { QuestionPicture } from "#src/show/events/schemas.ts";

/** The picture of a question. Its size is known, so nothing moves when it comes. */
export function QuestionImage({ picture, className }: { picture: QuestionPicture; className?: string }) {
  const { url, alt, width, height } = picture;
  return <img className={className} src={url} alt={alt} width={width} height={height} />;
}
