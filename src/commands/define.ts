/** Keeps a command's Input type together with its functions, and checks input that a button brings back. */
import type { ZodType } from 'zod';
import type { Need } from '../access.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../views/model.ts';
import type {
  Planned,
  ReadCommand,
  ReadPorts,
  SettingCommand,
  SettingPorts,
  WriteCommand,
} from './command.ts';
import type { Form } from './forms/form.ts';
import { usageProblem } from './line/faults.ts';
import type { Words } from './line/grammar.ts';

type Head<Input> = HelpEntry & {
  readonly input: ZodType<Input>;
  /** Takes saved targets, as `in:NAME`: the words come with the filters in their place. */
  readonly targets?: true;
  readonly form?: Form;
  readonly parse: (words: Words) => Typed<Input>;
};
/** {@link Parsed} before the type of its input is forgotten. */
export type Typed<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

export type ReadDefinition<Input> = Head<Input> & {
  /** For everybody, also people without a role. */
  readonly open?: boolean;
  /** What its reader must be allowed; absent: to read. */
  readonly need?: Need;
  readonly run: (input: Input, page: number, ports: ReadPorts) => Promise<View>;
  /** What input names that is not there. Looks at names alone. */
  readonly slip?: (input: Input, ports: ReadPorts) => Promise<Problem | null>;
};
export type WriteDefinition<Input> = Head<Input> & {
  readonly plan: (input: Input, ports: ReadPorts) => Promise<Planned>;
};
export type SettingDefinition<Input> = Head<Input> & {
  readonly need: Need;
  readonly run: (input: Input, page: number, ports: SettingPorts) => Promise<View>;
};

/** What a button brought does not fit: it was made by another version of this program. */
const STALE: UsageFault = {
  kind: 'bad-value',
  word: 'this button',
  expected: 'a button from a newer message',
};

/** A command that reads. */
export function defineRead<Input>(definition: ReadDefinition<Input>): ReadCommand {
  const { input: schema, run, slip, open = false, need = 'read', ...head } = definition;
  return {
    ...head,
    kind: 'read',
    open,
    need,
    run: async (input, page, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, STALE) };
      return run(checked.data, Number.isSafeInteger(page) ? Math.max(page, 0) : 0, ports);
    },
    ...(slip === undefined ? {} : { slip: async (input, ports) => slip(schema.parse(input), ports) }),
  };
}

/** A command that plans a change. */
export function defineWrite<Input>({ input: schema, plan, ...head }: WriteDefinition<Input>): WriteCommand {
  return {
    ...head,
    kind: 'write',
    plan: async (input, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, STALE) };
      return plan(checked.data, ports);
    },
  };
}

/** A command that changes what Patchbay itself remembers. */
export function defineSetting<Input>({
  input: schema,
  run,
  ...head
}: SettingDefinition<Input>): SettingCommand {
  return {
    ...head,
    kind: 'setting',
    run: async (input, page, ports) => {
      const checked = schema.safeParse(input);
      if (!checked.success) return { kind: 'problem', problem: usageProblem(head, STALE) };
      return run(checked.data, Number.isSafeInteger(page) ? Math.max(page, 0) : 0, ports);
    },
  };
}
