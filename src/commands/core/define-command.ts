/** Ties a command's input type to its functions, and checks the input of buttons. */
import { type ZodType, z } from 'zod';
import type { Permission } from '../../lib/access.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import type { CommandForm } from '../forms/shared/command-form.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault, usageProblem } from '../parser/usage-errors.ts';
import type {
  Planned,
  ReadCommand,
  ReadPorts,
  SavedTargetUse,
  SettingCommand,
  SettingPorts,
  TypedInput,
  WriteCommand,
} from './command.ts';

export type { TypedInput } from './command.ts';

type CommandHead<Input> = HelpEntry & {
  readonly input: ZodType<Input>;
  /** Takes saved targets, as `in:NAME`: the words come with the filters in their place. */
  readonly targets?: SavedTargetUse;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => TypedInput<Input>;
};

export type ReadDefinition<Input> = CommandHead<Input> & {
  /** For everybody, also people without a role. */
  readonly open?: boolean;
  /** The permission that its reader needs; absent: `read`. */
  readonly permission?: Permission;
  readonly run: (input: Input, page: number, ports: ReadPorts) => Promise<View>;
  /** The problem of an input that names something unknown. Checks names only. */
  readonly findUnknownName?: (input: Input, ports: ReadPorts) => Promise<Problem | null>;
};
export type WriteDefinition<Input> = CommandHead<Input> & {
  readonly plan: (input: Input, ports: ReadPorts) => Promise<Planned>;
};
export type SettingDefinition<Input> = CommandHead<Input> & {
  readonly permission: Permission;
  readonly run: (input: Input, page: number, ports: SettingPorts) => Promise<View>;
};

/** The input of a button does not fit, because another version of Patchbay made it. */
const OUTDATED_BUTTON: UsageFault = {
  kind: 'bad-value',
  word: 'this button',
  expected: 'a button from a newer message',
};

/** A command that reads. */
export function defineReadCommand<Input>(definition: ReadDefinition<Input>): ReadCommand {
  const { input: schema, run, findUnknownName, open = false, permission = 'read', ...head } = definition;
  return {
    ...head,
    kind: 'read',
    open,
    permission,
    run: async (input, page, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, OUTDATED_BUTTON) };
      return run(checked.data, Number.isSafeInteger(page) ? Math.max(page, 0) : 0, ports);
    },
    ...(findUnknownName === undefined
      ? {}
      : { findUnknownName: async (input, ports) => findUnknownName(schema.parse(input), ports) }),
  };
}

/** A command that plans a change. */
export function defineWriteCommand<Input>({
  input: schema,
  plan,
  ...head
}: WriteDefinition<Input>): WriteCommand {
  return {
    ...head,
    kind: 'write',
    plan: async (input, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, OUTDATED_BUTTON) };
      return plan(checked.data, ports);
    },
  };
}

/** A command that changes what Patchbay itself remembers. */
export function defineSettingCommand<Input>({
  input: schema,
  run,
  ...head
}: SettingDefinition<Input>): SettingCommand {
  return {
    ...head,
    kind: 'setting',
    run: async (input, page, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, OUTDATED_BUTTON) };
      return run(checked.data, Number.isSafeInteger(page) ? Math.max(page, 0) : 0, ports);
    },
  };
}

/** For commands that take no words. */

export const noInput = z.object({});
export type NoInput = z.infer<typeof noInput>;

/** The first word is named back. */
export function parseNoInput(words: LineWords): TypedInput<NoInput> {
  const [word] = words.free;
  const fault = word === undefined ? unexpectedWord(words, {}) : unknownWordFault(word, []);
  return fault === null ? { kind: 'input', input: {} } : { kind: 'fault', fault };
}
