// Decision: the names that the door offers are two plain words, so that everybody can read, say and find them. They are the product's
// own list: a test holds each pair to what a username may be, and to the list of insults.

const adjectives = words(`
  amber bold brave breezy bright calm cheery clever cosmic crisp daring eager fair fancy fleet fond gentle glad golden grand happy
  hardy honest humble jolly keen kind lively lucky lunar mellow merry mighty misty modest neat nimble noble peppy plucky polite
  proud quick quiet rapid ready rosy royal sage silver snappy snowy solar spry steady sunny swift tidy vivid warm wise witty zesty
`);

const animals = words(`
  badger beaver bison camel comet condor cricket dingo dolphin eagle falcon ferret finch gecko gibbon heron hornet ibis iguana
  jackal jaguar kiwi koala lemur lion llama lynx magpie mantis marmot marten meerkat moose newt ocelot orca osprey otter
  owl panda parrot pelican penguin plover puffin puma quail rabbit raven robin salmon sparrow stork swallow tapir tiger toucan
  turtle walrus weasel wombat yak zebra
`);

function words(list: string): string[] {
  return list
    .trim()
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** How many names there are without a number. */
export const guestNamesCount = adjectives.length * animals.length;

/** The name of a number from 0: "BraveOtter". */
export function guestName(number: number): string {
  const adjective = adjectives[Math.floor(number / animals.length) % adjectives.length] ?? "";
  return adjective + (animals[number % animals.length] ?? "");
}
