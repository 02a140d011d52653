import { useClosed } from "../base/page/context.ts";
import { ariaOf, Labelled } from "./labelled.tsx";
import { Note } from "./note.tsx";

type PictureFileProps = {
  label: string;
  id: string;
  name: string;
  hint: string;
  errors: string[] | undefined;
};

/** The file of a picture in a form, which works without JavaScript too; or why the site takes none. */
export function PictureFile({ label, id, name, hint, errors }: PictureFileProps) {
  const closed = useClosed("uploads");
  if (closed !== undefined) return <Note>{closed}</Note>;
  return (
    <Labelled label={label} id={id} hint={hint} errors={errors}>
      <input
        className="input file"
        id={id}
        name={name}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        {...ariaOf(id, { hint, errors })}
      />
    </Labelled>
  );
}
