/** Labels and hints of the forms of questions, in the control room and in the editor of blueprints. */
export const moreTexts = {
  hasNoActions: "It has no actions yet.",
  durationSeconds: "Duration, seconds",
  moveHint: "Press Alt and the up or down arrow to move it, or drag it.",
  mostPerPlayer: "Most per player, $",
  openForSeconds: "Open for, seconds",
  resultWithinSeconds: "Result within, seconds",
  explanation: "Explanation",
  hostNote: "Host's note",
  pictureShows: "What the picture shows",
  explanationHint: "Everybody sees it with the result, and nobody before.",
  hostNoteHint: "Only hosts see it: the right answer, its source, how to say a name.",
  pictureHint: "A PNG, JPEG, WebP or GIF picture, at most 5 MB. Players get it before the clock starts.",
  altHint: "In words, for everybody who does not see it.",
};
