import { useState } from "react";
import { Form } from "react-router";
import { accentFormat, nearestAccent, SPONSOR_LENGTH_MAX } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field, type FieldErrors } from "../ui/field.tsx";
import { VERSION_FIELD } from "../ui/forms/base-version.ts";
import { Panel } from "../ui/page-layout.tsx";
import { PictureFile } from "../ui/picture-file.tsx";
import { Submit } from "../ui/submit.tsx";
import { BrandBand } from "./brand-band.tsx";
import type { BrandFields } from "./brand-fields.ts";

const brandTexts = {
  accentExample: "#0072b3",
  logoHint: "A PNG, JPEG, WebP or GIF picture, at most 5 MB.",
  previewLine: "Your show",
};

type BrandPanelProps = {
  brand: Brand | undefined;
  /** What was typed in a form that was refused. */
  typed: BrandFields | undefined;
  /** As the API names them: "settings.brand.accent". */
  errors: FieldErrors;
  version: string | number;
  disabledReason?: string | null;
};

/** The form of a brand, with a preview. The whole page is sent, because a file goes with it: so it works without JavaScript too. */
export function BrandPanel({ brand = {}, typed, errors, version, disabledReason = null }: BrandPanelProps) {
  const { accent: saved = "", sponsor: savedLine = "", logo } = brand;
  const [accent, setAccent] = useState(typed?.accent ?? saved);
  const [sponsor, setSponsor] = useState(typed?.sponsor ?? savedLine);
  const nearest = nearestOf(accent);
  return (
    <Panel title="Brand">
      <Form className="body stack" method="post" encType="multipart/form-data" reloadDocument>
        <CsrfField />
        <input type="hidden" name="intent" value="brand" />
        <input type="hidden" name={VERSION_FIELD} value={version} />
        <p className="small ink2">
          On the big screen, the page to join, the end card and the pictures that players share.
        </p>
        <Accent
          accent={accent}
          nearest={nearest === colorIn(accent) ? null : nearest}
          errors={errorsOf("accent", errors)}
          onAccent={setAccent}
        />
        <Field
          label="Sponsor's line"
          name="sponsor"
          optional
          maxLength={SPONSOR_LENGTH_MAX}
          placeholder="With thanks to the Corner Bakery"
          value={sponsor}
          onValue={setSponsor}
          errors={errorsOf("sponsor", errors)}
        />
        <Logo logo={logo} errors={errorsOf("logo", errors)} />
        <Preview accent={nearest} sponsor={sponsor} logo={logo} />
        <Submit disabledReason={disabledReason}>Save the brand</Submit>
      </Form>
    </Panel>
  );
}

const colorIn = (accent: string) => accent.trim().toLowerCase();

/** The accent that is nearest to what was typed; null for what is no colour. */
function nearestOf(accent: string): string | null {
  const color = colorIn(accent);
  return accentFormat.test(color) ? nearestAccent(color) : null;
}

function errorsOf(field: string, errors: FieldErrors): string[] | undefined {
  return Object.entries(errors).find(([name]) => name.endsWith(`brand.${field}`))?.[1];
}

type AccentProps = {
  accent: string;
  nearest: string | null;
  errors: string[] | undefined;
  onAccent: (accent: string) => void;
};

/** The colour as text, which works everywhere, and a picker for it; for one that does not hold the nearest, taken by one press. */
function Accent({ accent, nearest, errors, onAccent }: AccentProps) {
  const color = colorIn(accent);
  return (
    <>
      <Field
        label="Accent colour"
        name="accent"
        optional
        maxLength={7}
        placeholder={brandTexts.accentExample}
        hint="Text is shown on it, and it is shown on light and dark backgrounds."
        value={accent}
        onValue={onAccent}
        errors={errors}
      />
      <input
        className="color-picker"
        type="color"
        aria-label="Pick the accent colour"
        value={accentFormat.test(color) ? color : brandTexts.accentExample}
        onChange={({ currentTarget }) => onAccent(currentTarget.value)}
      />
      {nearest === null ? null : (
        <p className="row wrap small">
          <span>The nearest colour that holds:</span>
          {/* Without JavaScript it saves the form with this colour. */}
          <button
            className="btn sm"
            type="submit"
            name="nearest"
            value={nearest}
            onClick={(event) => {
              event.preventDefault();
              onAccent(nearest);
            }}
          >
            <i style={{ width: "1.2em", height: "1.2em", background: nearest, border: "1px solid" }} />
            {`Take ${nearest}`}
          </button>
        </p>
      )}
    </>
  );
}

function Logo({ logo, errors }: { logo: string | undefined; errors: string[] | undefined }) {
  return (
    <>
      <PictureFile label="Logo" id="logo" name="logo" hint={brandTexts.logoHint} errors={errors} />
      {logo === undefined ? null : <Checkbox name="remove_logo">Remove the logo</Checkbox>}
    </>
  );
}

type PreviewProps = { accent: string | null; sponsor: string; logo: string | undefined };

function Preview({ accent, sponsor, logo }: PreviewProps) {
  const line = sponsor.trim() === "" && logo === undefined ? brandTexts.previewLine : sponsor.trim();
  const brand = { logo, ...(accent !== null && { accent }), ...(line !== "" && { sponsor: line }) };
  return (
    <div role="group" aria-label="Preview">
      <BrandBand brand={brand} name={brandTexts.previewLine} />
    </div>
  );
}
