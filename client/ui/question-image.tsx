import type { QuestionPicture } from "#src/show/events/schemas.ts";

type QuestionImageProps = { picture: QuestionPicture; className?: string };

/** The picture of a question. Its size is known, so nothing moves when it comes. */
export function QuestionImage({ picture, className }: QuestionImageProps) {
  const { url, alt, width, height } = picture;
  return <img className={className} src={url} alt={alt} width={width} height={height} />;
}
