declare module "subset-font" {
  type Axis = number | { min: number; max: number };
  type Options = {
    targetFormat: "woff2" | "truetype";
    /** The OpenType features to keep. */
    keepFeatures: readonly string[];
    noHinting: boolean;
    variationAxes: Record<string, Axis>;
  };
  /** Makes a font of the letters in `text` alone. */
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Uint8Array>;
}
