/** What was wrong with a line that somebody typed, with the word named back. */
import { code, joined, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import type { UsageFault } from '../model.ts';
import type { Offer } from '../models/offer-model.ts';

/** As many as are listed where none is near. */
const MOST_OFFERED = 20;

/** What came near is said in words where no buttons offer it. */
export function usageWords(fault: UsageFault, offers: readonly Offer[] = []): Mrkdwn {
  switch (fault.kind) {
    case 'missing':
      return md`Something is missing: ${literal(fault.what)}.`;
    case 'one-device':
      return md`A command changes one device at a time: ${code(fault.filters)} may be many.`;
    case 'unknown-word':
      return fault.nearest.length === 0
        ? md`I have no use for ${code(fault.word)} here.`
        : offers.length > 0
          ? md`I do not know ${code(fault.word)}.`
          : md`I do not know ${code(fault.word)}. ${offered(fault.nearest)}`;
    case 'no-saved-target': {
      const near = fault.nearest.length === 0 ? md`` : md` ${offered(fault.nearest)}`;
      return md`There is no saved target ${code(fault.name)}.${near}`;
    }
    case 'bad-value':
      return md`I cannot use ${code(fault.word)}: expected ${literal(fault.expected, SHOWN.sentence)}.`;
    case 'open-quote':
      return md`A quote is not closed, near ${code(fault.near)}.`;
    case 'too-long':
      return md`That is ${fault.length} characters long; I read up to ${fault.limit}.`;
  }
}

/** What may have been meant, or all that there is. */
function offered(words: readonly string[]): Mrkdwn {
  const [only = '', ...others] = words;
  return others.length === 0 ? md`Did you mean ${code(only)}?` : md`Try one of these: ${codes(words)}.`;
}

function codes(words: readonly string[]): Mrkdwn {
  return joined(
    words.slice(0, MOST_OFFERED).map((word) => code(word)),
    ', ',
  );
}
