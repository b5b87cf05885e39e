/** Faults of usage as plain sentences, for the fields of forms. */
import type { UsageFault } from '../../views/model.ts';

export function faultText(fault: UsageFault): string {
  switch (fault.kind) {
    case 'missing':
      return fault.what;
    case 'one-device':
      return `A command takes one device at a time. “${fault.filters}” can match several.`;
    case 'unknown-word':
      return fault.nearest.length === 0
        ? `“${fault.word}” doesn’t apply here.`
        : `${unknown(fault.word)} ${offered(fault.nearest)}`;
    case 'no-saved-target': {
      const near = fault.nearest.length === 0 ? '' : ` ${offered(fault.nearest)}`;
      return `No saved target is named “${fault.name}”.${near}`;
    }
    case 'bad-value':
      return `“${fault.word}” isn’t valid. Expected ${fault.expected}.`;
    case 'open-quote':
      return `Missing closing quote near “${fault.near}”.`;
    case 'too-long':
      return `Too long: ${fault.length} characters, the maximum is ${fault.limit}.`;
  }
}

/** A word with a colon was meant as a filter. */
function unknown(word: string): string {
  return word.includes(':') ? `Unknown filter “${word}”.` : `Unknown word “${word}”.`;
}

function offered(words: readonly string[]): string {
  return words.length === 1 ? `Did you mean ${words[0]}?` : `Try one of these: ${words.join(', ')}.`;
}
