/** What of a line that lacks something goes on into the command's form. Pure. */
import type { UsageFault } from '../../views/model.ts';
import type { Command } from '../command.ts';
import type { Words } from './grammar.ts';

type Missing = Extract<UsageFault, { kind: 'missing' }>;

/** Where only the words after `because` lack, everything else that was typed is known. */
export function givenIn({ parse }: Pick<Command, 'parse'>, words: Words, fault: Missing): unknown {
  if (fault.given !== undefined || words.reason !== '') return fault.given ?? {};
  const parsed = parse({ ...words, reason: null });
  if (parsed.kind === 'input') return parsed.input;
  return (parsed.fault.kind === 'missing' ? parsed.fault.given : null) ?? {};
}
