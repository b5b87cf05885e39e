/** Whether the reader of an answer may ask for changes: what they may not do is not offered to them. */
import type { PersonId } from '../ids.ts';
import type { Problem } from '../views/model.ts';
import type { LookOnly } from '../views/models/device-model.ts';
import type { ReadPorts } from './command.ts';

/** Empty where they may. Forms open for who may, and do not say. */
export async function lookOnly({ refusal }: Pick<ReadPorts, 'refusal'>): Promise<LookOnly> {
  const refused = (await refusal?.('propose')) ?? null;
  return refused === null ? {} : { lookOnly: { ask: askedFor(refused) } };
}

function askedFor(refused: Problem): readonly PersonId[] {
  return refused.kind === 'not-allowed' ? (refused.ask ?? []) : [];
}
