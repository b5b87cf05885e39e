/** `alias`: one's own words for the beginning of a command line, and everybody's. */
import type { UsageFault } from '../views/model.ts';
import type { SettingCommand } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { namedLineForm } from './forms/named-line-form.ts';
import type { Words } from './line/grammar.ts';
import { type NamedOrder, namedOrder, readOrder } from './line/named-line.ts';
import { carryOut } from './named-lines.ts';
import type { Registry } from './registry.ts';

/** The registry holds this command too, so it is asked for only when a line is typed. */
export function createAlias(registry: () => Registry): SettingCommand {
  return defineSetting<NamedOrder>({
    name: 'alias',
    usage: 'alias [[shared] NAME = COMMAND …] | [remove [shared] NAME]',
    summary: 'Give the first words of a command a short name. Admins can share it with everyone.',
    examples: ['alias', 'alias lr = devices group:"Linux servers" is:needs-reboot', 'alias remove lr'],
    need: 'read',
    input: namedOrder,
    form: namedLineForm({
      command: 'alias',
      thing: 'alias',
      title: 'Save an alias',
      label: 'First words of a command',
      hint: 'For example devices group:"Linux servers" is:needs-reboot.',
      lines: ({ aliases }) => aliases,
      unusable: (order) => unusable(order, registry()),
    }),
    parse: (words) => parse(words, registry()),
    run: (order, _page, ports) =>
      carryOut(order, { kind: 'alias', lines: ports.settings.aliases, command: 'alias' }, ports),
  });
}

function parse(words: Words, registry: Registry): Typed<NamedOrder> {
  const read = readOrder('alias', words);
  if (read.kind === 'fault') return read;
  const { order } = read;
  const wrong = order.do === 'keep' ? unusable(order, registry) : null;
  return wrong === null ? { kind: 'input', input: order } : { kind: 'fault', fault: wrong.fault };
}

/** A command's own name stays the command's, and an alias stands for a command, never for an alias. */
function unusable(
  { name, line }: Extract<NamedOrder, { do: 'keep' }>,
  { find, nearest }: Registry,
): { readonly field: 'name' | 'line'; readonly fault: UsageFault } | null {
  if (find(name) !== null) {
    const expected = 'a name that isn’t a command';
    return { field: 'name', fault: { kind: 'bad-value', word: name, expected } };
  }
  const [first = ''] = line.split(' ', 1);
  if (find(first) !== null) return null;
  return { field: 'line', fault: { kind: 'unknown-word', word: first, nearest: nearest(first) } };
}
