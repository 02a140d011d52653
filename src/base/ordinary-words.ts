/** Of words, in which the word list sees an insult. */
const words = `
  analcim analcit analect analemma analeptic analges analget analgi analphabet annal artisanal cryptanal disanal epanal metanal
  misanal overanal preanaly reanal uranal tanalis membranal pandanus pannus totanus assegai assonan assort asswage
  boobook booby boobies boobird haboob bitchen bestial chinkapin chinkara pachinko cockpit cockscomb cocksfoot cockspur cocksure
  cockswain cockshy cuckold cumacea cumar cumec cumin cummerbund cummin cumquat cumshaw dickcissel dicker dickey dickie dicky
  medick niddick feckless fisting klondyke vandyke fagaceous fagot mafficking trafficked trafficker trafficking mishit
  niggard negroni shiitake shitzu shittah shittim slutch pennis pissarro pissoir pissasphalt pinprick pussycat pussyfoot pussytoe
  pussy-cat pussy-foot rappe rapeseed retardant ritard swank titbit turdus twattl uranalys`;

/** Of names of people and places. */
const names = `
  arsene cummings dickens dickins dickson dickon fagan fagin fukuda fukui fukuka fukuo fukus fukuy ishita harshit akshit
  nishit likshit dikshit akshita oshita ushita ashita penistone slutsk twatt wankdorf wankel wankhede
  wankie cockburn buttigieg montenegro vandyck mobydick dickvandyke dicktracy`;

/** Of several words; in questions and answers of a quiz most of all. */
const phrases = [
  "a cock crow",
  "andy dick",
  "blue tit",
  "blue tits",
  "bearded tit",
  "chink in the",
  "chinks in the",
  "clever dick",
  "coal tit",
  "cock a doodle",
  "cock and bull",
  "cock crow",
  "cock of the",
  "cock robin",
  "crested tit",
  "cum laude",
  "deadeye dick",
  "dick and jane",
  "dick barton",
  "dick bruna",
  "dick cheney",
  "dick tracy",
  "dick turpin",
  "dick van dyke",
  "dick whittington",
  "dildo, newfoundland",
  "fire retard",
  "flame retard",
  "great tit",
  "great tits",
  "marsh tit",
  "moby dick",
  "octopussy",
  "philip k dick",
  "philip k. dick",
  "prick up",
  "pricks up",
  "pussy riot",
  "pussy willow",
  "rape oil",
  "rio negro",
  "spastic colon",
  "spotted dick",
  "tailed tit",
  "tit for tat",
  "tom dick and",
  "tom, dick and",
  "tom, dick, and",
  "van dyke",
  "willow tit",
];

/**
 * Ordinary words and names in which the word list sees an insult. One allows every text that contains it: "trafficking" also in
 * "traffickings". So each is longer than the insult.
 */
export const ordinaryWords = [...words.trim().split(/\s+/), ...names.trim().split(/\s+/), ...phrases];
