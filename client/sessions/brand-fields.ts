import type { BrandBody } from "#src/show/brands/schemas.ts";
import { readForm } from "../ui/forms/read-form.ts";

export type BrandFields = { accent: string; sponsor: string };

/** A file that was refused has no signed id: the API says what is wrong with it. */
const REFUSED_FILE = "refused";

/** The texts as they were typed. A button takes the colour that holds. */
export function brandFieldsIn(form: FormData): BrandFields {
  const { nearest, accent, sponsor } = readForm(form, {
    nearest: "optional",
    accent: "text",
    sponsor: "text",
  });
  return { accent: nearest ?? accent, sponsor };
}

/** The brand as the API expects it. The server has replaced the file by its signed id. */
export function brandIn(form: FormData): BrandBody {
  const { accent, sponsor } = brandFieldsIn(form);
  const { logo, removeLogo } = readForm(form, { logo: "optional", removeLogo: "checkbox" });
  const file = form.get("logo");
  const isRefused = file instanceof File && file.size > 0;
  return {
    accent: accent.trim() || null,
    sponsor: sponsor.trim() || null,
    ...(removeLogo && { logo: null }),
    ...(logo !== undefined && { logo }),
    ...(isRefused && { logo: REFUSED_FILE }),
  };
}
