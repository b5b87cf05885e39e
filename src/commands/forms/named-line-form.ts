/** The forms of aliases and of saved targets: one to keep a line under a name, one to remove a name. */

import { z } from 'zod';
import type { NamedLine } from '../../store/settings-records.ts';
import type { UsageFault } from '../../views/model.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import { usageProblem } from '../line/faults.ts';
import { MAX_TEXT, plainLine } from '../line/grammar.ts';
import { LONGEST_LINE, NAME_WANTED, type NamedOrder, nameOf, readOrder } from '../line/named-line.ts';
import type { NamedLines, Settings } from '../settings.ts';
import { faultText } from './fault-text.ts';
import type { Form, FormOpened, FormPorts, FormRead } from './form.ts';
import { chosen, errorOn, textIn } from './form-values.ts';

const NAME = 'name';
const LINE = 'line';
const WHOSE = 'whose';
const REMOVED = 'removed';
/** Of what somebody types; a name that is longer than it may be is told, not cut. */
const NAME_LENGTH = 100;

const text = z.string().max(MAX_TEXT).catch('').default('');
const given = z
  .object({
    remove: z.literal(true).optional().catch(undefined),
    name: text,
    line: text,
    shared: z.boolean().catch(false).default(false),
  })
  .catch({ remove: undefined, name: '', line: '', shared: false });
type Given = z.infer<typeof given>;

const removing = z.object({ remove: z.literal(true) });

type Keep = Extract<NamedOrder, { do: 'keep' }>;

export type NamedLineFormOptions = {
  readonly command: string;
  /** Of the form that saves one. */
  readonly title: string;
  /** Such as `alias`. */
  readonly thing: string;
  /** What the name stands for. */
  readonly label: string;
  readonly hint: string;
  readonly lines: (settings: Settings) => Pick<NamedLines, 'list'>;
  /** Why the command would not take it, and which field says so; or null. */
  readonly unusable: (
    order: Keep,
  ) => { readonly field: typeof NAME | typeof LINE; readonly fault: UsageFault } | null;
};

export function namedLineForm(options: NamedLineFormOptions): Form {
  return {
    open: async (typed, ports) => {
      const asked = given.parse(typed);
      return asked.remove === true ? openRemoval(options, ports) : openKeeping(options, asked);
    },
    read: (values, context) =>
      removing.safeParse(context).success ? readRemoval(values) : readKeeping(options, values),
  };
}

function openKeeping(
  { command, title, label, hint }: NamedLineFormOptions,
  { name, line, shared }: Given,
): FormOpened {
  const fields = [
    { kind: 'text', id: NAME, label: 'Name', initial: name, most: NAME_LENGTH },
    { kind: 'text', id: LINE, label, hint, initial: line, most: LONGEST_LINE },
    {
      kind: 'choice',
      id: WHOSE,
      label: 'For whom',
      options: [
        { value: 'mine', label: 'For me' },
        { value: 'shared', label: 'For everyone (admins only)' },
      ],
      initial: shared ? 'shared' : 'mine',
    },
  ] as const;
  const form = { command, title, submit: 'Save', fields, context: null };
  return { kind: 'form', form };
}

/** Read as it would be typed, so that both ways take the same. */
function readKeeping({ command, unusable }: NamedLineFormOptions, values: FieldValues): FormRead {
  const name = textIn(values, NAME);
  if (nameOf(name) === null) return errorOn(NAME, `Use ${NAME_WANTED}.`);
  const whose = chosen(values, WHOSE) === 'shared' ? 'shared ' : '';
  const read = readOrder(command, {
    line: `${command} ${whose}${name} = ${plainLine(textIn(values, LINE))}`,
  });
  if (read.kind === 'fault') return errorOn(LINE, faultText(read.fault));
  if (read.order.do !== 'keep') return errorOn(NAME, `Use ${NAME_WANTED}.`);
  const wrong = unusable(read.order);
  return wrong === null ? { kind: 'input', input: read.order } : errorOn(wrong.field, faultText(wrong.fault));
}

async function openRemoval(
  { command, thing, lines }: NamedLineFormOptions,
  { settings, asker }: FormPorts,
): Promise<FormOpened> {
  const kept = await lines(settings).list(asker);
  if (kept.length === 0) {
    const fault = { kind: 'missing', what: `There’s no ${thing} to remove.` } as const;
    const usage = `${command} remove [shared] NAME`;
    return { kind: 'problem', problem: usageProblem({ name: command, usage }, fault) };
  }
  const options = kept.map(optionOf);
  const field = { kind: 'choice', id: REMOVED, label: 'Name', options, initial: null } as const;
  const form = { command, title: `Remove a${vowel(thing)} ${thing}`, submit: 'Remove' };
  return { kind: 'form', form: { ...form, fields: [field], context: { remove: true } } };
}

const SHARED = 'shared:';
const MINE = 'mine:';

function optionOf({ owner, name, line }: NamedLine): FormOption {
  const shared = owner === null;
  return {
    value: `${shared ? SHARED : MINE}${name}`,
    label: shared ? `${name} (shared)` : name,
    detail: line,
  };
}

function readRemoval(values: FieldValues): FormRead {
  const value = chosen(values, REMOVED) ?? '';
  const shared = value.startsWith(SHARED);
  const name = nameOf(value.slice((shared ? SHARED : MINE).length));
  if (name === null) return errorOn(REMOVED, 'Choose a name.');
  return { kind: 'input', input: { do: 'remove', name, shared } satisfies NamedOrder };
}

function vowel(thing: string): string {
  return /^[aeiou]/.test(thing) ? 'n' : '';
}
