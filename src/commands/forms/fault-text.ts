/** Faults of usage as plain sentences, for the fields of forms. */
import type { UsageFault } from '../../views/model.ts';

export function faultText(fault: UsageFault): string {
  switch (fault.kind) {
    case 'missing':
      return `Something is missing: ${fault.what}.`;
    case 'one-device':
      return `A command changes one device at a time: “${fault.filters}” may be many.`;
    case 'unknown-word':
      return fault.nearest.length === 0
        ? `There is no use for “${fault.word}” here.`
        : `“${fault.word}” is not known. ${offered(fault.nearest)}`;
    case 'no-saved-target': {
      const near = fault.nearest.length === 0 ? '' : ` ${offered(fault.nearest)}`;
      return `There is no saved target “${fault.name}”.${near}`;
    }
    case 'bad-value':
      return `“${fault.word}” cannot be used: expected ${fault.expected}.`;
    case 'open-quote':
      return `A quote is not closed, near “${fault.near}”.`;
    case 'too-long':
      return `That is ${fault.length} characters long; up to ${fault.limit} are read.`;
  }
}

function offered(words: readonly string[]): string {
  return words.length === 1 ? `Did you mean ${words[0]}?` : `Try one of these: ${words.join(', ')}.`;
}
