/** `save`: stores filters under a personal or shared name, to be used as `in:NAME`. */
import type { UsageFault } from '../views/model.ts';
import type { Registry, SettingCommand, SettingPorts } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { type NamedLineInput, namedLineInput, parseNamedLine } from './parser/named-line-parser.ts';
import { SAVED_KEY } from './parser/saved-targets.ts';
import { type LineWords, tokenizeLine } from './parser/tokenizer.ts';
import { namedLineForm, runNamedLineCommand } from './settings/named-lines.ts';

const NAME = 'save';
/** The command whose filters a saved target may contain. */
const COMMANDS_WITH_TARGETS = 'devices';

/** The registry contains this command too, so it is read only when a line is parsed. */
export function createSaveCommand(registry: () => Registry): SettingCommand {
  return defineSettingCommand<NamedLineInput>({
    name: NAME,
    usage: 'save [shared] NAME = FILTERS … | remove [shared] NAME',
    summary: 'Save filters of “devices” under a name, to use as in:NAME. Admins can save them for everyone.',
    examples: ['save web = group:"Linux servers" os:linux is:online', 'save remove web'],
    permission: 'read',
    input: namedLineInput,
    form: namedLineForm({
      command: NAME,
      title: 'Save filters',
      noun: 'saved target',
      label: 'Words and filters of “devices”',
      hint: 'For example group:"Linux servers" is:online.',
      lines: ({ saved }) => saved,
      invalidLine: ({ line }) => {
        const fault = invalidLine(line, registry());
        return fault === null ? null : { field: 'line', fault };
      },
    }),
    parse: (words) => parse(words, registry()),
    run: (order, _page, ports) => runSavedTargets(order, ports),
  });
}

/** Also used by the list of saved targets. */
export function runSavedTargets(order: NamedLineInput, ports: SettingPorts) {
  return runNamedLineCommand(order, { kind: 'saved', lines: ports.settings.saved, command: NAME }, ports);
}

function parse(words: LineWords, registry: Registry): TypedInput<NamedLineInput> {
  const read = parseNamedLine(NAME, words);
  if (read.kind === 'fault') return read;
  const { input } = read;
  if (input.do === 'list')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Enter a name, “=” and filters.' } };
  const fault = input.do === 'keep' ? invalidLine(input.line, registry) : null;
  return fault === null ? { kind: 'input', input: input } : { kind: 'fault', fault };
}

/** Reports filters that `devices` would reject now rather than when they are used. */
function invalidLine(line: string, registry: Registry): UsageFault | null {
  const read = tokenizeLine(line);
  if (read.kind === 'fault') return read.fault;
  const nested = read.words.filters.find(({ key }) => key === SAVED_KEY);
  if (nested !== undefined) {
    return { kind: 'bad-value', word: nested.text, expected: 'filters, not another saved target' };
  }
  const parsed = registry.find(COMMANDS_WITH_TARGETS)?.parse(read.words);
  return parsed?.kind === 'fault' ? parsed.fault : null;
}
