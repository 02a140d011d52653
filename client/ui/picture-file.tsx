import type { ComponentProps } from "react";
import { useClosed } from "../base/page/context.ts";
import { ariaOf, type LabelProps, Labelled } from "./labelled.tsx";
import { Note } from "./note.tsx";

type PictureFileProps = ComponentProps<"input"> & LabelProps & { id: string };

/** The types that the file field accepts. The server checks the bytes themselves. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/gif";

/** The file of a picture in a form, which works without JavaScript too; or why the site takes none. */
export function PictureFile({ label, hint, errors, ...file }: PictureFileProps) {
  const closed = useClosed("uploads");
  if (closed !== undefined) return <Note>{closed}</Note>;
  return (
    <Labelled label={label} id={file.id} hint={hint} errors={errors}>
      <input
        className="input file"
        type="file"
        accept={PICTURE_TYPES}
        {...file}
        {...ariaOf(file.id, { hint, errors })}
      />
    </Labelled>
  );
}
