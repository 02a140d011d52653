import { expect, test } from "bun:test";
import { findBadWord } from "#src/base/find-bad-word.ts";

/** Names of people, of India, Thailand, Japan, Nigeria, Indonesia, Vietnam, Brazil, Germany and others. */
const names = `
  Anushka Anusha Anush Tanushree Dhanush7 Dhanushka Siriporn Somporn Pornchai Pornthip Pornsak Riddick Dickman Fagundes Fagerberg
  Fagbenle Fagbemi Fagan Shittu Shitara Shitanshu Nikshit Harshit Fukuhara Fukada Fukuyama Cumali Cumhur Wanke Wankhede Turdiyev
  Turdibekov Boobalan Boobesh Raper Rapeepat Bích Bich Babich Analia Analise Angga Rangga Anggraini Erlangga Georgy Georgi Gasmi Belgasmi
  Titti Titterton Assunta Assmann Fackler Fecker Dykema Chinkaew Negroponte Cuckson Arsenio Felcher Pissarro Wankel Fu Fung`;
const people = names.trim().split(/\s+/);

test.each(people)("%s is a name, alone, in small and large letters, and in a sentence", (name) => {
  for (const text of [
    name,
    name.toLowerCase(),
    name.toUpperCase(),
    `Well done ${name}!`,
    `${name}_7`,
    `Ana ${name}`,
  ])
    expect([text, findBadWord(text)]).toEqual([text, null]);
});

const insults = `
  anus porn fag fags faggot shit shitty bullshit shithead sh1t cum boob boobs wank wanker turd rape rapist cock cocksucker dick dickhead
  asshole arsehole fuk fuck fucking motherfucker bitch bitches tits twat piss negro kike nigger nigga slut pornhub BigShit ShitFace
  fu_ck s.h.i.t f-u-c-k fu·ck`;

test.each(insults.trim().split(/\s+/))("%s is no name, and is found", (word) => {
  for (const text of [word, `you ${word}`, `${word} you`])
    expect([text, findBadWord(text)]).not.toEqual([text, null]);
});
