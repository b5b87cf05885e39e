/** What of a sentence the line that answers it leaves out. Pure. */
import { fold } from '../../lib/text.ts';
import { exclusionIn } from './exclusions.ts';
import { isSpoken, PERIOD, REASON } from './said-lines.ts';

/** Words that name nothing. */
export const EMPTY =
  /^(?:the|all|an?|and|any|every|everything|everywhere|our|my|on|to|of|for|in|at|by|with|from|this|that|those|these|s|it|is|are|has|have|now|asap|show|list|give|me|us|how|many|there|do|we|groups?|tag|which|missing|pending|affected|vulnerable|against|latest|newest|new|updates?|patch(?:es)?|upgrades?|fleet|whole|severity)$/i;
/** Nouns for a device of any kind; `laptops` may be a group. */
export const KIND =
  /^(?:device|machine|computer|server|laptop|notebook|desktop|workstation|pc|host|box|endpoint)(?:s|es)?$/i;
/** Of these there may be a group, which only a list of devices can be narrowed to. */
const SOME = /^(?:server|laptop|notebook|desktop|workstation)s$/i;
const OF_DEVICES = /^(?:devices?|missing|packages|group|explain)\b/;
/** Words that only make a question of those beside them. */
export const ASKING =
  /^(?:who|what|when|where|why|does|did|was|were|will|would|can|could|should|be|been|not|i|you|he|she|they|their|its|if|as|so|or|than|just|about|off?|out|up|much|left|right|please|find|search|look|see|get|tell|user|using|uses?|run|check|still|really|wrong|needs?|versions?|packages?|ip|no|any(?:body|one|thing)|some(?:body|one)|happens|go(?:ne)?|through|finish|ok(?:ay)?|[#\d]+|\w+n['’]?t)$/i;
/** Whose actions are meant. */
export const PERSON = /\b(?:I|we|my|our|mine|me)\b|\bdid (?!\S*\d)\S+ /i;
/** A condition that no list has. */
const CONDITION =
  /\b(?:(?:ha(?:ve|s|d)|were|was|are|is|did|do|does)(?:n['’]t| not| never)|never|older than|newer than|(?:more|less|longer) than)\b.*$/i;
const OF_ONE = /^(?:group|missing|devices (?:group|user|missing):)/;
const UNTIL = /\b(?:until|till)\b.*$/i;
/** Of a filter with `-`. */
const LEAVING =
  /^(?:except(?:ing)?|exclud(?:e|ing)|other|apart|aside|besides|minus|without|but|save|skip(?:ping)?|leav(?:e|ing)|non|alone)$/i;
/** A list of what is named answers nothing else that is said of it. */
const NAMES_ALONE = /^devices (?!.*\b(?:is|missing):)./;
const OF_NAME = /^(?:device|group|packages) /;
/** Words about what the card of a device shows, and that of a group. */
const ON_CARD =
  /^(?:stat(?:e|us)|up|down|alive|(?:non-?)?complian\w*|re(?:boot|start)\w*|required|os|system|group|members?|tags?|polic(?:y|ies)|scan\w*|health\w*|card|facts|details?|info\w*|overview|summary|seen|patch\w*|happened)$/i;
const ON_GROUP = /^(?:members?|polic(?:y|ies)|scan\w*|card|facts|details?|info\w*|overview|summary)$/i;
const WORD = /\b(?:shut|turn|power) ?(?:down|off)\b|[\p{L}\p{N}#](?:[\p{L}\p{N}._’'-]*[\p{L}\p{N}])?/giu;

/**
 * Times, conditions, reasons, and words that neither the line nor a pattern has. `meant`: words that the line says in its
 * own way. Help is about any.
 */
export function leftOut(sentence: string, line: string, meant: readonly string[] = []): string | null {
  const isSilence = line === 'help silence';
  if (line.startsWith('help') && !isSilence) return null;
  const [reason] = REASON.exec(sentence) ?? [];
  const whole = sentence.replace(REASON, '');
  const said = / days:| is:stale/.test(line) ? whole.replace(PERIOD, '') : whole;
  const out = exclusionIn(said);
  const isAnswered =
    / -\w+:|is:unmanaged/.test(line) || (out?.isSure === false && isNegationAnswered(said, line));
  const spans = [
    OF_ONE.test(line) && !isAnswered ? CONDITION.exec(said) : null,
    PERIOD.exec(said),
    UNTIL.exec(said),
  ].flatMap((span) => (span === null ? [] : [{ from: span.index, to: span.index + span[0].length }]));
  if (out !== null && !isAnswered) spans.push(out);
  const isOut = (word: string, at: number): boolean => {
    if (spans.some(({ from, to }) => at >= from && at < to)) return true;
    if (PERSON.test(word)) return false;
    if (isAnswered && LEAVING.test(word)) return false;
    const name = word.replace(/^non-|['’]s$/gi, '');
    if (isSilence || isSaid(name, line, meant)) return false;
    return !isFiller(name) || (SOME.test(name) && !OF_DEVICES.test(line));
  };
  // Words that are left out, with the fillers between them, make one part; a word that counts begins another.
  const marked = said.replace(WORD, (word, at: number) => {
    if (isOut(word, at)) return `\0${word}\0`;
    return isFiller(word) ? word : '\n';
  });
  const parts = (marked.match(/\0.*\0/g) ?? []).map((part) => part.replaceAll('\0', ''));
  return [...parts, ...(reason === undefined ? [] : [reason])].join(' … ') || null;
}

/** Such a line is about what is not so; and a question is answered either way. */
const isNegationAnswered = (sentence: string, line: string): boolean =>
  /^(?:why|is|are|was|were|has|have|did|does|do|when)\b|\bnot (?:yet )?(?:approved|decided)\b/i.test(
    sentence,
  ) || /\bis:(?!exception)|^(?:status|subscriptions|missing severity:|events name:)|timeline$/.test(line);

const cardOf = (line: string) => (line.startsWith('group ') ? ON_GROUP : ON_CARD);

const isFiller = (word: string): boolean => [EMPTY, KIND, ASKING].some((filler) => filler.test(word));

const isSaid = (word: string, line: string, meant: readonly string[]): boolean =>
  [line, ...meant].some((text) => fold(text).includes(fold(word))) ||
  (OF_NAME.test(line) ? cardOf(line).test(word) : !NAMES_ALONE.test(line) && isSpoken(word, line));
