/** The input that an incomplete line passes on to the command's form. Pure. */
import type { UsageFault } from '../../views/model.ts';
import type { Command } from '../core/command.ts';
import type { LineWords } from './tokenizer.ts';

type MissingFault = Extract<UsageFault, { kind: 'missing' }>;

/** If only the reason after `because` is missing, everything else is passed on. */
export function prefillFrom(
  { parse }: Pick<Command, 'parse'>,
  words: LineWords,
  fault: MissingFault,
): unknown {
  if (fault.prefill !== undefined || words.reason !== '') return fault.prefill ?? {};
  const parsed = parse({ ...words, reason: null });
  if (parsed.kind === 'input') return parsed.input;
  return (parsed.fault.kind === 'missing' ? parsed.fault.prefill : null) ?? {};
}
