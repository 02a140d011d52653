// Decision: the files of this folder read and name the columns of a plan for the browser's preview and for the server alike, so
// that what is previewed is what is added. They import contracts, lists and two parsers; the browser has them with the admin screens.

/**
 * What a plan in text says about an action, in the order of columns without a header: each column with its name in the header of an
 * exported CSV file, and how a problem names it ("Question can't be blank").
 */
const columns = [
  ["title", "question", "Question"],
  ["trueLabel", "true label", "True Label"],
  ["falseLabel", "false label", "False Label"],
  ["durationSeconds", "seconds", "Duration"],
  ["startMode", "start", "Starts"],
  ["minWager", "min", "Least wager"],
  ["maxWager", "max", "Most per player"],
  ["offsetSeconds", "wait", "Wait"],
  ["resolveWithinSeconds", "result within", "Result within"],
  ["autoResult", "result", "Result"],
  ["description", "description", "Description"],
  ["explanation", "explanation", "Explanation"],
  ["hostNote", "host note", "Host's note"],
  ["picture", "picture", "Picture"],
  ["pictureAlt", "picture text", "Picture text"],
] as const;
type Column = (typeof columns)[number];
export type PlanColumn = Column[0];
export const planColumns = columns.map(([column]) => column);

/** The texts of an action's columns; empty where nothing is given. */
export type PlanTexts = Record<PlanColumn, string>;

function textsOf(text: (column: Column) => string): PlanTexts;
function textsOf(text: (column: Column) => string): object {
  return Object.fromEntries(columns.map((column): [string, string] => [column[0], text(column)]));
}

/** The header of an exported CSV file. A file that begins with exactly this is read without any guess. */
export const columnNames = textsOf(([, name]) => name);
export const columnLabels = textsOf(([, , label]) => label);

export const noTexts = (): PlanTexts => textsOf(() => "");

/**
 * What a name in a header, a key of JSON or the name of a line below a question means: a column, or one of these. `minutes` is a
 * duration in minutes, `answers` has all labels at once, `answer` is a third one or a further one, `aside` says nothing about it: the number of a row.
 */
export type PlanPart =
  | PlanColumn
  | "minutes"
  | "answers"
  | "answer"
  | "rightAnswer"
  | "wrongAnswer"
  | "aside";

/** What a row, an item of JSON, or a line below a question says about its action. */
export type Part = { part: PlanPart; text: string };

/** The known names by language, without blanks, punctuation and accents. A number or a letter follows those of `oneAnswer`. */
const knownNames: readonly Partial<Record<Exclude<PlanPart, "answer"> | "oneAnswer", string>>[] = [
  // English, and what other tools call it.
  {
    title: "q title question questions questiontext thequestion action prediction event prompt text",
    trueLabel: "true yes left labeltrue yeslabel truelabels trueoption",
    falseLabel: "false no right labelfalse nolabel falselabels falseoption",
    durationSeconds:
      "sec secs s duration durationseconds time timelimit timer openfor openforseconds countdown questiontime timetoanswer answertime",
    minutes: "minutes mins timeminutes durationminutes",
    startMode: "starts startmode",
    minWager: "minimum minwager minimumwager minbet minimumbet leastwager",
    maxWager: "maximum maxwager maximumwager maxbet maximumbet mostperplayer",
    offsetSeconds: "waitseconds offset offsetseconds pause",
    resolveWithinSeconds: "resultwithinseconds resolvewithin resolvewithinseconds",
    autoResult: "autoresult",
    description: "details hint",
    explanation:
      "explanations explain answerexplanation explanationtext fact facts funfact rationale feedback didyouknow",
    hostNote: "note notes hostnotes privatenote privatenotes presenternote presenternotes speakernotes",
    picture: "image img imagelink imageurl pictureurl picturelink photo media medialink mediaurl",
    pictureAlt:
      "picturealt alt alttext alternativetext imagealt imagetext imagedescription picturedescription",
    oneAnswer: "answer option choice label side outcome",
    answers: "answers options choices labels sides outcomes answeroptions answerchoices possibleanswers",
    rightAnswer: "answer correct correctanswer correctanswers correctoption rightanswer solution",
    wrongAnswer: "incorrectanswer incorrectanswers wronganswer wronganswers falseanswer",
    aside: "id position pos number questionnumber questionno rownumber",
  },
  // German
  {
    title: "frage fragen fragetext fragestellung vorhersage",
    trueLabel: "wahr richtig ja links",
    falseLabel: "falsch nein rechts",
    durationSeconds: "sekunden sek dauer zeit zeitlimit antwortzeit",
    minutes: "minuten",
    minWager: "mindesteinsatz mineinsatz minimaleinsatz minimum",
    maxWager: "hochsteinsatz hoechsteinsatz maxeinsatz maximaleinsatz",
    offsetSeconds: "wartezeit",
    autoResult: "ergebnis",
    description: "beschreibung hinweis",
    explanation: "erklarung erklaerung erlauterung fakt hintergrund wissenswertes",
    hostNote: "notiz notizen anmerkung moderationsnotiz",
    picture: "bild foto bildlink bildadresse",
    pictureAlt: "bildtext bildbeschreibung alternativtext",
    oneAnswer: "antwort option auswahl antwortmoglichkeit",
    answers: "antworten antwortmoglichkeiten optionen",
    rightAnswer: "antwort richtigeantwort losung loesung",
    wrongAnswer: "falscheantwort",
    aside: "fragenr fragenummer nummer",
  },
  // French
  {
    title: "intitule enonce textedelaquestion pari",
    trueLabel: "vrai oui gauche",
    falseLabel: "faux non droite",
    durationSeconds: "secondes duree temps delai tempslimite limitedetemps",
    minWager: "misemin miseminimum miseminimale",
    maxWager: "misemax misemaximum misemaximale",
    offsetSeconds: "attente",
    autoResult: "resultat",
    explanation: "explication explications anecdote",
    hostNote: "remarque remarques noteanimateur notedelanimateur",
    picture: "liendelimage",
    pictureAlt: "textealternatif textedelimage descriptiondelimage legende",
    oneAnswer: "reponse choix",
    answers: "reponses choix",
    rightAnswer: "reponse bonnereponse reponsecorrecte solution",
    wrongAnswer: "mauvaisereponse reponseincorrecte",
    aside: "numero",
  },
  // Spanish
  {
    title: "pregunta preguntas textodelapregunta",
    trueLabel: "verdadero cierto si izquierda",
    falseLabel: "falso derecha",
    durationSeconds: "segundos duracion tiempo tiempolimite limitedetiempo",
    minutes: "minutos",
    minWager: "apuestaminima apuestamin minimo",
    maxWager: "apuestamaxima apuestamax maximo",
    offsetSeconds: "espera",
    autoResult: "resultado",
    description: "descripcion",
    explanation: "explicacion dato datocurioso curiosidad",
    hostNote: "nota notas notaprivada",
    picture: "imagen foto enlacedelaimagen",
    pictureAlt: "textoalternativo textodelaimagen descripciondelaimagen",
    oneAnswer: "respuesta opcion",
    answers: "respuestas opciones",
    rightAnswer: "respuesta respuestacorrecta solucion",
    wrongAnswer: "respuestaincorrecta",
  },
  // Italian
  {
    title: "domanda domande testodelladomanda",
    trueLabel: "vero si sinistra",
    falseLabel: "falso destra",
    durationSeconds: "secondi durata tempo tempolimite limiteditempo",
    minutes: "minuti",
    minWager: "puntataminima puntatamin scommessaminima minimo",
    maxWager: "puntatamassima puntatamax scommessamassima massimo",
    offsetSeconds: "attesa",
    autoResult: "risultato",
    description: "descrizione",
    explanation: "spiegazione curiosita",
    hostNote: "notaprivata appunti",
    picture: "immagine linkimmagine",
    pictureAlt: "testoalternativo testoimmagine descrizioneimmagine",
    oneAnswer: "risposta opzione scelta",
    answers: "risposte opzioni scelte",
    rightAnswer: "risposta rispostacorretta rispostaesatta soluzione",
    wrongAnswer: "rispostasbagliata rispostaerrata",
  },
  // Portuguese
  {
    title: "pergunta perguntas questao textodapergunta",
    trueLabel: "verdadeiro sim esquerda",
    falseLabel: "falso nao direita",
    durationSeconds: "segundos duracao tempo tempolimite limitedetempo",
    minutes: "minutos",
    minWager: "apostaminima apostamin minimo",
    maxWager: "apostamaxima apostamax maximo",
    offsetSeconds: "espera",
    autoResult: "resultado",
    description: "descricao",
    explanation: "explicacao curiosidade",
    hostNote: "anotacao observacao",
    picture: "imagem linkdaimagem",
    pictureAlt: "textodaimagem descricaodaimagem",
    oneAnswer: "resposta opcao alternativa",
    answers: "respostas opcoes alternativas",
    rightAnswer: "resposta respostacorreta respostacerta solucao",
    wrongAnswer: "respostaincorreta respostaerrada",
  },
  // Dutch
  {
    title: "vraag vragen vraagtekst stelling",
    trueLabel: "waar ja links",
    falseLabel: "onwaar nee rechts",
    durationSeconds: "seconden duur tijd tijdslimiet tijdlimiet",
    minutes: "minuten",
    minWager: "minimuminzet minimaleinzet mininzet",
    maxWager: "maximuminzet maximaleinzet maxinzet",
    offsetSeconds: "wachttijd",
    autoResult: "uitslag resultaat",
    description: "beschrijving omschrijving",
    explanation: "uitleg toelichting weetje",
    hostNote: "opmerking notitie notities",
    picture: "afbeelding plaatje",
    pictureAlt: "alternatievetekst afbeeldingstekst afbeeldingsbeschrijving",
    oneAnswer: "antwoord optie keuze",
    answers: "antwoorden opties keuzes",
    rightAnswer: "antwoord juisteantwoord goedeantwoord correctantwoord",
    wrongAnswer: "fouteantwoord foutantwoord onjuistantwoord",
    aside: "vraagnummer",
  },
];

/** "answer1", "optiona", "c": the first two are the labels. */
const answerWords = knownNames.map(({ oneAnswer = "" }) => oneAnswer.replaceAll(" ", "|")).join("|");
const oneAnswer = new RegExp(
  `^(?:(?:optional)?(incorrect|wrong)?(?:${answerWords})(?:nr|no)?([1-6a-f])|([a-f]))$`,
);
const numbering = /^(?:#|no\.|nr\.?|n|n[°º]\.?|\u2116)$|#$|\s(?:nr\.?|no\.)$/i;
/** The unit behind a name: "Time (min)", "Dauer in Minuten", "Durée - sec.". */
const unit =
  /[\s([,:–—-]+(?:in\s|en\s|em\s)?(?:(min(?:s|ut[a-z]*)?)|s|se[cgk](?:s|[ou]n?[a-z]*)?)\.?[)\]]?\s*$/i;
/** What is longer is no name. */
const NAME_LENGTH_MAX = 120;

const byName = namesOfParts();

function namesOfParts(): ReadonlyMap<string, PlanPart> {
  const parts = new Map<string, PlanPart>(
    planColumns.map((column) => [plainName(columnNames[column]), column]),
  );
  const add = (names: string | undefined, part: PlanPart) => {
    for (const name of names?.split(" ") ?? []) if (!parts.has(name)) parts.set(name, part);
  };
  for (const language of knownNames) {
    for (const column of planColumns) add(language[column], column);
    for (const part of ["minutes", "answers", "rightAnswer", "wrongAnswer", "aside"] as const)
      add(language[part], part);
  }
  return parts;
}

/**
 * What a name means, also with a remark after it: "Time (s)", "Answer 1 - max 75 characters", "Réponse 1". Null if it is not
 * known.
 */
export function partNamed(name: string): PlanPart | null {
  if (name.length > NAME_LENGTH_MAX) return null;
  const [before = ""] = name.split(/\s[-–—:]\s/, 1);
  return (
    partOf(name) ??
    measuredPart(name) ??
    measuredPart(before) ??
    partOf(before.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ""))
  );
}

/** "Time (min)", "timeInSeconds", "duration_in_minutes". */
function measuredPart(name: string): PlanPart | null {
  const words = name.replaceAll("_", " ").replaceAll(/([a-z])(?=[A-Z])/g, "$1 ");
  const found = unit.exec(words);
  const part = found === null ? null : partOf(words.slice(0, found.index));
  return part === "durationSeconds" && found?.[1] !== undefined ? "minutes" : part;
}

function partOf(name: string): PlanPart | null {
  const plain = plainName(name);
  const [found, wrong, word, alone] = oneAnswer.exec(plain) ?? [];
  if (found === undefined) return byName.get(plain) ?? null;
  if (wrong !== undefined) return "wrongAnswer";
  const which = word ?? alone ?? "";
  if (which === "1" || which === "a") return "trueLabel";
  return which === "2" || which === "b" ? "falseLabel" : "answer";
}

/** True for the name of a column that only numbers the rows: "#", "No.", "Question #". */
export function namesNumbering(name: string): boolean {
  return numbering.test(name.trim()) || partNamed(name) === "aside";
}

function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
