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
      return literal(fault.what, SHOWN.sentence);
    case 'one-device':
      return md`A command takes one device at a time. ${code(fault.filters)} can match several.`;
    case 'unknown-word':
      return fault.nearest.length === 0
        ? md`${code(fault.word)} doesn’t apply here.`
        : offers.length > 0
          ? unknown(fault.word)
          : md`${unknown(fault.word)} ${offered(fault.nearest)}`;
    case 'no-saved-target': {
      const near = fault.nearest.length === 0 ? md`` : md` ${offered(fault.nearest)}`;
      return md`No saved target is named ${code(fault.name)}.${near}`;
    }
    case 'bad-value':
      return md`${code(fault.word)} isn’t valid. Expected ${literal(fault.expected, SHOWN.sentence)}.`;
    case 'open-quote':
      return md`Missing closing quote near ${code(fault.near)}.`;
    case 'too-long':
      return md`Too long: ${fault.length} characters, the maximum is ${fault.limit}.`;
  }
}

/** A word with a colon was meant as a filter. */
function unknown(word: string): Mrkdwn {
  return word.includes(':') ? md`Unknown filter ${code(word)}.` : md`Unknown word ${code(word)}.`;
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
