/** Ties a command's input type to its functions, and checks the input of buttons. */
import { type ZodType, z } from 'zod';
import { hiddenPolicies } from '../../fleet/facts/facts.ts';
import type { HelpEntry, UsageFault } from '../../views/views.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault, usageProblem } from '../parser/usage-errors.ts';
import type { Planned, ReadCommand, SettingCommand, TypedInput, WriteCommand } from './command.ts';

type Definition<Of, Input> = Omit<Of, 'kind' | 'inputOf'> & { readonly input: ZodType<Input> };
/** Only for people with a role, and needing `read`, where nothing else is said. */
type ReadDefinition<Input> = Definition<Omit<ReadCommand<Input>, 'open' | 'permission'>, Input> &
  Partial<Pick<ReadCommand, 'open' | 'permission'>>;

/** The input of a button does not fit, because another version of Patchbay made it. */
const OUTDATED_BUTTON: UsageFault = {
  kind: 'bad-value',
  word: 'this button',
  expected: 'a button from a newer message',
};

async function ifFitting<Input, T>(
  schema: ZodType<Input>,
  input: unknown,
  head: HelpEntry,
  job: (checked: Input) => Promise<T>,
): Promise<T | Extract<Planned, { readonly kind: 'problem' }>> {
  const checked = schema.safeParse(input);
  if (checked.success) return job(checked.data);
  return { kind: 'problem', problem: usageProblem(head, OUTDATED_BUTTON) };
}

/** The page of a button may be any number. */
const pageFrom = (page: number): number => (Number.isSafeInteger(page) ? Math.max(page, 0) : 0);

export function defineReadCommand<Input>(definition: ReadDefinition<Input>): ReadCommand {
  const { input: schema, run, findUnknownName, open = false, permission = 'read', ...head } = definition;
  return {
    ...head,
    kind: 'read',
    open,
    permission,
    run: (input, page, ports) =>
      ifFitting(schema, input, head, (checked) => run(checked, pageFrom(page), ports)),
    ...(findUnknownName === undefined
      ? {}
      : { findUnknownName: async (input, ports) => findUnknownName(schema.parse(input), ports) }),
  };
}

export function defineWriteCommand<Input>({
  input: schema,
  plan,
  ...head
}: Definition<WriteCommand<Input>, Input>): WriteCommand {
  return {
    ...head,
    kind: 'write',
    inputOf: (input) => schema.safeParse(input).data ?? null,
    plan: (input, ports) =>
      ifFitting(schema, input, head, async (checked) => ifShown(await plan(checked, ports))),
  };
}

/** A seal over what the service does not show would cover nothing. */
function ifShown(planned: Planned): Planned {
  if (planned.kind !== 'proposal') return planned;
  const hidden = planned.proposal.targets.flatMap(hiddenPolicies).map(({ name }) => name ?? 'the policy');
  if (hidden.length === 0) return planned;
  return { kind: 'problem', problem: { kind: 'policy-not-shown', policies: [...new Set(hidden)] } };
}

export function defineSettingCommand<Input>({
  input: schema,
  run,
  byOnePress = () => false,
  ...head
}: Definition<SettingCommand<Input>, Input>): SettingCommand {
  return {
    ...head,
    kind: 'setting',
    inputOf: (input) => schema.safeParse(input).data ?? null,
    byOnePress(input) {
      const { data } = schema.safeParse(input);
      return data !== undefined && byOnePress(data);
    },
    run: (input, page, ports) =>
      ifFitting(schema, input, head, (checked) => run(checked, pageFrom(page), ports)),
  };
}

export const noInput = z.object({});
export type NoInput = z.infer<typeof noInput>;

/** The first word is named back. */
export function parseNoInput(words: LineWords): TypedInput<NoInput> {
  const [word] = words.free;
  const fault = word === undefined ? unexpectedWord(words, {}) : unknownWordFault(word, []);
  return fault === null ? { kind: 'input', input: {} } : { kind: 'fault', fault };
}
