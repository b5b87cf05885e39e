/** Words that people say to a colleague: they ask for nothing, and get a short answer. Pure. */

const GREETING =
  /^(?:hi|hiya|hello|hey|howdy|yo|good (?:morning|afternoon|evening)|thanks|thank you|thx|ty|cheers)(?: (?:there|all|team|a lot|so much|patchbay))?[\s.!,:)]*$/i;

/** Whether the whole line is one. */
export function isGreeting(line: string): boolean {
  return GREETING.test(line.trim());
}
