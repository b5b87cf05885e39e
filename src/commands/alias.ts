/** `alias`: one's own words for the beginning of a command line, and everybody's. */
import type { UsageFault } from '../views/model.ts';
import type { SettingCommand } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import type { Words } from './grammar.ts';
import { type NamedOrder, namedOrder, readOrder } from './named-line.ts';
import { carryOut } from './named-lines.ts';
import type { Registry } from './registry.ts';

/** The registry holds this command too, so it is asked for only when a line is typed. */
export function createAlias(registry: () => Registry): SettingCommand {
  return defineSetting<NamedOrder>({
    name: 'alias',
    usage: 'alias [[shared] NAME = COMMAND …] | [remove [shared] NAME]',
    summary: 'Give the beginning of a command a short name of your own, or, as an admin, everybody’s.',
    examples: ['alias', 'alias lr = devices group:"Linux servers" is:needs-reboot', 'alias remove lr'],
    need: 'read',
    input: namedOrder,
    parse: (words) => parse(words, registry()),
    run: (order, _page, ports) =>
      carryOut(order, { kind: 'alias', lines: ports.settings.aliases, command: 'alias' }, ports),
  });
}

function parse(words: Words, registry: Registry): Typed<NamedOrder> {
  const read = readOrder('alias', words);
  if (read.kind === 'fault') return read;
  const { order } = read;
  const fault = order.do === 'keep' ? unusable(order, registry) : null;
  return fault === null ? { kind: 'input', input: order } : { kind: 'fault', fault };
}

/** A command's own name stays the command's, and an alias stands for a command, never for an alias. */
function unusable(
  { name, line }: Extract<NamedOrder, { do: 'keep' }>,
  { find, nearest }: Registry,
): UsageFault | null {
  if (find(name) !== null) {
    return { kind: 'bad-value', word: name, expected: 'a name that is not a command’s own' };
  }
  const [first = ''] = line.split(' ', 1);
  return find(first) === null ? { kind: 'unknown-word', word: first, nearest: nearest(first) } : null;
}
