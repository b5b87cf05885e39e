/** `save`: filters under a name of one's own, or everybody's, to be used as `in:NAME`. */
import type { UsageFault } from '../views/model.ts';
import type { SettingCommand, SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { namedLineForm } from './forms/named-line-form.ts';
import { readLine, type Words } from './line/grammar.ts';
import { type NamedOrder, namedOrder, readOrder } from './line/named-line.ts';
import { SAVED_KEY } from './line/saved-targets.ts';
import { carryOut } from './named-lines.ts';
import type { Registry } from './registry.ts';

const NAME = 'save';
/** Whose words a saved target may hold. */
const LISTS = 'devices';

/** The registry holds this command too, so it is asked for only when a line is typed. */
export function createSave(registry: () => Registry): SettingCommand {
  return defineSetting<NamedOrder>({
    name: NAME,
    usage: 'save [shared] NAME = FILTERS … | remove [shared] NAME',
    summary: 'Save filters of “devices” under a name, to use as in:NAME. Admins can save them for everyone.',
    examples: ['save web = group:"Linux servers" os:linux is:online', 'save remove web'],
    need: 'read',
    input: namedOrder,
    form: namedLineForm({
      command: NAME,
      title: 'Save filters',
      thing: 'saved target',
      label: 'Words and filters of “devices”',
      hint: 'For example group:"Linux servers" is:online.',
      lines: ({ saved }) => saved,
      unusable: ({ line }) => {
        const fault = unusable(line, registry());
        return fault === null ? null : { field: 'line', fault };
      },
    }),
    parse: (words) => parse(words, registry()),
    run: (order, _page, ports) => runSaved(order, ports),
  });
}

/** For the list of them too. */
export function runSaved(order: NamedOrder, ports: SettingPorts) {
  return carryOut(order, { kind: 'saved', lines: ports.settings.saved, command: NAME }, ports);
}

function parse(words: Words, registry: Registry): Typed<NamedOrder> {
  const read = readOrder(NAME, words);
  if (read.kind === 'fault') return read;
  const { order } = read;
  if (order.do === 'list')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter a name, “=” and filters.' } };
  const fault = order.do === 'keep' ? unusable(order.line, registry) : null;
  return fault === null ? { kind: 'input', input: order } : { kind: 'fault', fault };
}

/** What the list of devices would not take is told now, not when it is used. */
function unusable(line: string, registry: Registry): UsageFault | null {
  const read = readLine(line);
  if (read.kind === 'fault') return read.fault;
  const nested = read.words.filters.find(({ key }) => key === SAVED_KEY);
  if (nested !== undefined) {
    return { kind: 'bad-value', word: nested.text, expected: 'filters, not another saved target' };
  }
  const parsed = registry.find(LISTS)?.parse(read.words);
  return parsed?.kind === 'fault' ? parsed.fault : null;
}
