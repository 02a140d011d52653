import * as v from "valibot";

const ADDRESS_LENGTH_MAX = 2_000;
const pixels = v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1)));

/** As oEmbed names them (https://oembed.com). */
export const embedQuery = v.object({
  url: v.pipe(v.string(), v.maxLength(ADDRESS_LENGTH_MAX)),
  format: v.optional(v.literal("json", "is invalid")),
  maxwidth: pixels,
  maxheight: pixels,
});
export type EmbedQuery = v.InferOutput<typeof embedQuery>;

export const embedAnswer = v.object({
  version: v.literal("1.0"),
  type: v.literal("rich"),
  provider_name: v.string(),
  provider_url: v.string(),
  title: v.string(),
  html: v.string(),
  width: v.number(),
  height: v.number(),
});
export type EmbedAnswer = v.InferOutput<typeof embedAnswer>;
