/** `alias`: personal and shared short names for the first words of a command. */
import type { UsageFault } from '../views/model.ts';
import type { Registry, SettingCommand } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { type NamedLineInput, namedLineInput, parseNamedLine } from './parser/named-line-parser.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { namedLineForm, runNamedLineCommand } from './settings/named-lines.ts';

/** The registry contains this command too, so it is read only when a line is parsed. */
export function createAliasCommand(registry: () => Registry): SettingCommand {
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
      invalidLine: (order) => invalidLine(order, registry()),
    }),
    parse: (words) => parse(words, registry()),
    run: (order, _page, ports) =>
      runNamedLineCommand(order, { kind: 'alias', lines: ports.settings.aliases, command: 'alias' }, ports),
  });
}

function parse(words: LineWords, registry: Registry): TypedInput<NamedLineInput> {
  const read = parseNamedLine('alias', words);
  if (read.kind === 'fault') return read;
  const { input } = read;
  const wrong = input.do === 'keep' ? invalidLine(input, registry) : null;
  return wrong === null ? { kind: 'input', input: input } : { kind: 'fault', fault: wrong.fault };
}

/** An alias cannot replace a command's name, and stands for a command, not for another alias. */
function invalidLine(
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
