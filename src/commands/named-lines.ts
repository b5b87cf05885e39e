/** `alias`, `save` and `saved`: lines with names, kept, removed and listed alike, and the forms for it. */

import { z } from 'zod';
import { nearestNames } from '../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { NamedLine, StoredLineKind } from '../store/port/settings-records.ts';
import type { FieldValues, FormOption } from '../views/models/form-model.ts';
import type { NamedLineRow, Offer } from '../views/models/problem-model.ts';
import type { UsageFault, View } from '../views/views.ts';
import type {
  CommandForm,
  FormPorts,
  FormValues,
  OpenedForm,
  Registry,
  SettingCommand,
  SettingPorts,
  TypedInput,
} from './core/command.ts';
import { defineSettingCommand, type NoInput, noInput, parseNoInput } from './core/define-command.ts';
import { fieldError, selectedValue, textValue, usageFaultText } from './core/field-values.ts';
import { MAX_NAMES, type NamedLines, type SettingsPort } from './core/settings-port.ts';
import { prefillOf } from './forms/subject-forms.ts';
import {
  MAX_NAMED_LINE_LENGTH,
  NAME_EXPECTED,
  type NamedLineInput,
  namedLineInput,
  normalizedName,
  parseNamedLine,
  SAVED_KEY,
} from './parser/named-lines.ts';
import { type LineWords, MAX_LINE_LENGTH, plainLine, tokenizeLine } from './parser/tokenizer.ts';
import { problemView, usageProblem } from './parser/usage-errors.ts';

export function createAliasCommand(registry: Registry): SettingCommand {
  return defineSettingCommand<NamedLineInput>({
    name: 'alias',
    usage: 'alias [[shared] NAME = COMMAND …] | [remove [shared] NAME]',
    summary: 'Give the first words of a command a short name. Admins can share it with everyone.',
    examples: ['alias', 'alias lr = devices group:"Linux servers" is:needs-reboot', 'alias remove lr'],
    permission: 'read',
    byOnePress: ({ do: what }) => what === 'list',
    input: namedLineInput,
    form: namedLineForm({
      command: 'alias',
      noun: 'alias',
      title: 'Save an alias',
      label: 'First words of a command',
      hint: 'For example devices group:"Linux servers" is:needs-reboot.',
      lines: ({ aliases }) => aliases,
      invalidLine: (order) => invalidAlias(order, registry),
    }),
    parse: (words) => parseAlias(words, registry),
    run: (order, _page, ports) =>
      runNamedLineCommand(order, { kind: 'alias', lines: ports.settings.aliases, command: 'alias' }, ports),
  });
}

function parseAlias(words: LineWords, registry: Registry): TypedInput<NamedLineInput> {
  const read = parseNamedLine('alias', words);
  if (read.kind === 'fault') return read;
  const { input } = read;
  const wrong = input.do === 'keep' ? invalidAlias(input, registry) : null;
  return wrong === null ? { kind: 'input', input: input } : { kind: 'fault', fault: wrong.fault };
}

/** An alias cannot replace a command's name, and stands for a command, not for another alias. */
function invalidAlias(
  { name, line }: Extract<NamedLineInput, { do: 'keep' }>,
  { find, nearest }: Registry,
): { readonly field: 'name' | 'line'; readonly fault: UsageFault } | null {
  if (find(name) !== null) {
    const expected = 'a name that isn’t a command';
    return { field: 'name', fault: { kind: 'bad-value', word: name, expected } };
  }
  const [first = ''] = line.split(' ', 1);
  if (find(first) !== null) return null;
  return {
    field: 'line',
    fault: { kind: 'unknown-word', word: first, nearest: nearest(first), of: 'command' },
  };
}

const SAVE = 'save';

/** The command whose filters a saved target may contain. */
const COMMANDS_WITH_TARGETS = 'devices';

export function createSaveCommand(registry: Registry): SettingCommand {
  return defineSettingCommand<NamedLineInput>({
    name: SAVE,
    usage: 'save [shared] NAME = FILTERS … | remove [shared] NAME',
    summary: 'Save filters of “devices” under a name, to use as in:NAME. Admins can save them for everyone.',
    examples: ['save web = group:"Linux servers" os:linux is:online', 'save remove web'],
    permission: 'read',
    input: namedLineInput,
    form: namedLineForm({
      command: SAVE,
      title: 'Save filters',
      noun: 'saved target',
      label: 'Words and filters of “devices”',
      hint: 'For example group:"Linux servers" is:online.',
      lines: ({ saved }) => saved,
      invalidLine: ({ line }) => {
        const fault = invalidTarget(line, registry);
        return fault === null ? null : { field: 'line', fault };
      },
    }),
    parse: (words) => parseSave(words, registry),
    run: (order, _page, ports) => runSavedTargets(order, ports),
  });
}

function runSavedTargets(order: NamedLineInput, ports: SettingPorts) {
  return runNamedLineCommand(order, { kind: 'saved', lines: ports.settings.saved, command: SAVE }, ports);
}

function parseSave(words: LineWords, registry: Registry): TypedInput<NamedLineInput> {
  const read = parseNamedLine(SAVE, words);
  if (read.kind === 'fault') return read;
  const { input } = read;
  if (input.do === 'list')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter a name, “=” and filters.' } };
  const fault = input.do === 'keep' ? invalidTarget(input.line, registry) : null;
  return fault === null ? { kind: 'input', input: input } : { kind: 'fault', fault };
}

/** Reports filters that `devices` would reject now rather than when they are used. */
function invalidTarget(line: string, registry: Registry): UsageFault | null {
  const read = tokenizeLine(line);
  if (read.kind === 'fault') return read.fault;
  const nested = read.words.filters.find(({ key }) => key === SAVED_KEY);
  if (nested !== undefined) {
    return { kind: 'bad-value', word: nested.text, expected: 'filters, not another saved target' };
  }
  const parsed = registry.find(COMMANDS_WITH_TARGETS)?.parse(read.words);
  return parsed?.kind === 'fault' ? parsed.fault : null;
}

export const savedCommand = defineSettingCommand<NoInput>({
  name: 'saved',
  usage: 'saved',
  summary: 'List your saved targets and the shared ones.',
  examples: ['saved'],
  permission: 'read',
  byOnePress: () => true,
  input: noInput,
  parse: parseNoInput,
  run: (_asked, _page, ports) => runSavedTargets({ do: 'list' }, ports),
});

type NamedLineKind = {
  readonly kind: StoredLineKind;
  readonly lines: NamedLines;
  readonly command: string;
};

/** What is everybody's takes the right to configure. */
async function runNamedLineCommand(
  order: NamedLineInput,
  lineKind: NamedLineKind,
  ports: SettingPorts,
): Promise<View> {
  if (order.do === 'list') return listLines(lineKind, ports, null);
  const { name, shared } = order;
  const refused = shared ? await ports.refusal('configure') : null;
  if (refused !== null) return problemView(refused);
  const owner = shared ? null : ports.asker;
  if (order.do === 'keep')
    return saveLine({ name, owner, by: ports.asker, line: order.line }, lineKind, ports);
  const removed = await lineKind.lines.remove({ owner, name, by: ports.asker });
  return removed
    ? listLines(lineKind, ports, { kind: 'removed', name, shared })
    : unknownName(name, shared, lineKind, ports);
}

async function saveLine(
  named: Omit<NamedLine, 'at'>,
  { kind: of, lines, command }: NamedLineKind,
  { clock, inventory }: SettingPorts,
): Promise<View> {
  const shared = named.owner === null;
  // Whoever types the device's name alone wants the device, not somebody else's line.
  if (of === 'alias' && shared) {
    const same = await inventory.find(named.name, { exact: true, namesOnly: true });
    if (same.kind !== 'none') return problemView({ kind: 'alias-is-device', name: named.name });
  }
  if ((await lines.save(named)) === 'full') {
    return problemView({ kind: 'names-full', of, most: MAX_NAMES, shared });
  }
  const done = { kind: 'kept', name: named.name, shared } as const;
  const rows = [{ named: { ...named, at: clock.now() }, remove: removeChoice(command, named.name, shared) }];
  return { kind: 'named-lines', of, rows, most: MAX_NAMES, done, root: ROOT_COMMAND };
}

async function listLines(
  { kind: of, lines, command }: NamedLineKind,
  ports: SettingPorts,
  done: Extract<View, { kind: 'named-lines' }>['done'],
): Promise<View> {
  const mayShare = (await ports.refusal('configure')) === null;
  const rows = (await lines.list(ports.asker)).map((named): NamedLineRow => {
    const shared = named.owner === null;
    return { named, remove: shared && !mayShare ? null : removeChoice(command, named.name, shared) };
  });
  return { kind: 'named-lines', of, rows, most: MAX_NAMES, done, root: ROOT_COMMAND };
}

function removeChoice(command: string, name: string, shared: boolean) {
  return { command, input: { do: 'remove', name, shared } satisfies NamedLineInput };
}

/** A press that was carried out twice ends here the second time. */
async function unknownName(
  name: string,
  shared: boolean,
  { kind: of, lines, command }: NamedLineKind,
  ports: SettingPorts,
) {
  const known = (await lines.list(ports.asker)).filter(({ owner }) => (owner === null) === shared);
  const near = nearestNames(
    name,
    known.map((one) => one.name),
  );
  const offers = near.map((right): Offer => {
    const line = `${ROOT_COMMAND} ${command} remove ${shared ? 'shared ' : ''}${right}`;
    return { kind: 'line', does: 'set', line, choice: removeChoice(command, right, shared) };
  });
  return problemView({ kind: 'no-such-name', of, name, shared, offers });
}

const NAME = 'name';
const LINE = 'line';
const WHOSE = 'whose';
const REMOVED = 'removed';
/** Maximum length of the fields. A name over its limit is reported rather than cut. */
const NAME_LENGTH = 100;

const text = z.string().max(MAX_LINE_LENGTH).catch('').default('');
const prefillSchema = prefillOf({
  remove: z.literal(true).optional().catch(undefined),
  name: text,
  line: text,
  shared: z.boolean().catch(false).default(false),
});
const removalSchema = z.object({ remove: z.literal(true) });

type NamedLineFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly noun: string;
  readonly label: string;
  readonly hint: string;
  readonly lines: (settings: SettingsPort) => Pick<NamedLines, 'list'>;
  /** Why the command would reject it, and at which field; or null. */
  readonly invalidLine: (
    order: Extract<NamedLineInput, { do: 'keep' }>,
  ) => { readonly field: typeof NAME | typeof LINE; readonly fault: UsageFault } | null;
};

function namedLineForm(options: NamedLineFormOptions): CommandForm {
  return {
    open: async (typed, ports) => {
      const prefill = prefillSchema.parse(typed);
      return prefill.remove === true ? openRemoveForm(options, ports) : openSaveForm(options, prefill);
    },
    read: (values, context) =>
      removalSchema.safeParse(context).success ? readRemoveForm(values) : readSaveForm(options, values),
  };
}

function openSaveForm(
  { command, title, label, hint }: NamedLineFormOptions,
  { name, line, shared }: z.infer<typeof prefillSchema>,
): OpenedForm {
  const fields = [
    { kind: 'text', id: NAME, label: 'Name', initial: name, most: NAME_LENGTH },
    { kind: 'text', id: LINE, label, hint, initial: line, most: MAX_NAMED_LINE_LENGTH },
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

/** Parsed like a typed line, so that both ways accept the same. */
function readSaveForm({ command, invalidLine }: NamedLineFormOptions, values: FieldValues): FormValues {
  const name = textValue(values, NAME);
  if (normalizedName(name) === null) return fieldError(NAME, `Use ${NAME_EXPECTED}.`);
  const whose = selectedValue(values, WHOSE) === 'shared' ? 'shared ' : '';
  const read = parseNamedLine(command, {
    line: `${command} ${whose}${name} = ${plainLine(textValue(values, LINE))}`,
  });
  if (read.kind === 'fault') return fieldError(LINE, usageFaultText(read.fault));
  if (read.input.do !== 'keep') return fieldError(NAME, `Use ${NAME_EXPECTED}.`);
  const wrong = invalidLine(read.input);
  return wrong === null
    ? { kind: 'input', input: read.input }
    : fieldError(wrong.field, usageFaultText(wrong.fault));
}

async function openRemoveForm(
  { command, noun, lines }: NamedLineFormOptions,
  { settings, asker }: FormPorts,
): Promise<OpenedForm> {
  const savedLines = await lines(settings).list(asker);
  if (savedLines.length === 0) {
    const fault = { kind: 'missing', what: `There’s no ${noun} to remove.` } as const;
    const usage = `${command} remove [shared] NAME`;
    return { kind: 'problem', problem: usageProblem({ name: command, usage }, fault) };
  }
  const options = savedLines.map(optionOf);
  const field = { kind: 'choice', id: REMOVED, label: 'Name', options, initial: null } as const;
  const form = { command, title: `Remove ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`, submit: 'Remove' };
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

function readRemoveForm(values: FieldValues): FormValues {
  const value = selectedValue(values, REMOVED) ?? '';
  const shared = value.startsWith(SHARED);
  const name = normalizedName(value.slice((shared ? SHARED : MINE).length));
  if (name === null) return fieldError(REMOVED, 'Choose a name.');
  return { kind: 'input', input: { do: 'remove', name, shared } satisfies NamedLineInput };
}
