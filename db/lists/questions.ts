/** How long the texts are that a question has besides its terms. Apart from those, because players need none of it. */
export const questionLimits = {
  explanationLengthMax: 500,
  hostNoteLengthMax: 500,
  pictureAltLengthMax: 250,
};

/** What names the picture of a question in a request and in an export: the key of its file. */
export const pictureKey = /^[0-9a-f]{40}$/;
