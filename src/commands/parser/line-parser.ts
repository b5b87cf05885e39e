/** Parses a typed line: alias, command, saved targets, then the command's own words. */
import type { PersonId } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { Problem, UsageFault, View } from '../../views/views.ts';
import type { Command, Registry, TypedInput } from '../core/command.ts';
import type { NamedLines } from '../core/settings-port.ts';
import { isBareCve } from './missing-target.ts';
import { type ExpandedAlias, expandAlias, expandSaved, usesSavedTarget } from './named-lines.ts';
import { optionOrReason } from './rollout-options.ts';
import { askedLine, isSentence, notDone, saidLine, withoutCourtesy } from './said-lines.ts';
import { isGreeting } from './slack-text.ts';
import { timeInLine } from './time-words.ts';
import { type LineWords, plainLine, type TokenizedLine, tokenizeLine, tokenizeTyped } from './tokenizer.ts';
import { commandTypoOffers, lineOffers, type ParsedSuggestion, valueTypoOffers } from './typo-offers.ts';
import { usageProblem } from './usage-errors.ts';

export type ParsedLine =
  | { readonly kind: 'command'; readonly command: Command; readonly input: unknown }
  /** A part is missing, and the command has a form that asks for it. */
  | {
      readonly kind: 'fill-in';
      readonly command: Command;
      readonly view: Extract<View, { kind: 'fill-in' }>;
    }
  /** It names a time, and there are no schedules: whoever may use the command is asked about it. */
  | {
      readonly kind: 'time';
      readonly command: Command;
      readonly problem: Extract<Problem, { kind: 'no-schedules' }>;
    }
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      /** Words that are no part of a command: they may name a device, or mention one. */
      readonly possibleDeviceName?: string;
      /** What to answer where its first word is no slip either. */
      readonly sentence?: Extract<Problem, { kind: 'unknown-command' }>;
    }
  | { readonly kind: 'greeting' };

export type LineResult =
  | ParsedLine
  /** The line uses an alias or saved target, which may be shared, so only people who may read see the result. */
  | {
      readonly kind: 'kept';
      readonly alias: ExpandedAlias | null;
      readonly parsed: ParsedLine;
    };

type LineParserOptions = {
  readonly registry: Pick<Registry, 'find' | 'nearest'>;
  readonly settings: {
    readonly aliases: Pick<NamedLines, 'find'>;
    readonly saved: Pick<NamedLines, 'find' | 'list'>;
  };
};

const GENERAL = ['help', 'operations', 'approvals'];

type CommandLine = { readonly command: Command; readonly words: LineWords & { readonly line: string } };

/** Parses what a person typed after the root command, with their aliases and saved targets. Checks no rights and runs nothing. */
export function createLineParser(options: LineParserOptions) {
  const { registry, settings } = options;
  const parseCommand = createCommandParser(options);
  const offers = createTypoOffers(options, parseCommand);

  /** The command's own parse result. For an unknown word, with lines that may have been meant. */
  const parseWithOffers = async ({ command, words }: CommandLine, person: PersonId): Promise<ParsedLine> => {
    const parsedLine = await parseCommand(command, words, person);
    if (parsedLine.kind !== 'problem' || parsedLine.problem.kind !== 'usage') return parsedLine;
    const { fault } = parsedLine.problem;
    const found = await offers.forFault(fault, words.line, person);
    const isStray =
      command.kind === 'read' && fault.kind === 'unknown-word' && /^[^-:][^:]*$/.test(fault.word);
    const stray =
      isStray && !usesSavedTarget(words) ? words.line.slice(words.line.indexOf(fault.word)) : undefined;
    return found.length === 0
      ? { ...parsedLine, ...(stray === undefined ? {} : { possibleDeviceName: stray }) }
      : { kind: 'problem', problem: { ...parsedLine.problem, offers: found } };
  };

  const unknownCommand = async (
    word: string,
    words: CommandLine['words'],
    person: PersonId,
  ): Promise<LineResult> => {
    if (isGreeting(words.line)) return { kind: 'greeting' };
    const found = await offers.forCommand(word, words, person);
    const { free, filters, flags, reason } = words;
    const isWords = filters.length === 0 && flags.length === 0 && (reason === null || found.length === 0);
    const general = words.line.includes(' ') ? await offers.forLines(GENERAL, person) : [];
    return {
      ...unknownWith(word, registry.nearest(word), found),
      ...(general.length === 0 ? {} : { sentence: unknownWith(words.line, [], general).problem }),
      ...(isWords ? { possibleDeviceName: [word, ...free].join(' ') } : {}),
    };
  };

  /**
   * A line that begins with no command. What it asks for in other words is offered, and what it only wants to see is
   * shown; a line with saved targets is neither, because it could reveal names to people who may not read.
   */
  const withoutCommand = async (read: LineWords, line: string, person: PersonId): Promise<LineResult> => {
    const [word = '', ...free] = read.free;
    const isPlain = !usesSavedTarget(read);
    const unable = isPlain ? notDone(line) : null;
    if (unable !== null) {
      const { problem } = unknownWith(line, [], []);
      return { kind: 'problem', problem: { ...problem, notDone: unable } };
    }
    const asked = isPlain ? askedLine(line) : null;
    const wanted = asked === null ? null : await lineOf(tokenizeLine(asked), asked, person);
    if (wanted?.kind === 'time') return wanted;
    const near =
      asked === null || wanted === null || wanted.kind === 'kept'
        ? null
        : await unknownLine(line, asked, wanted);
    if (near !== null) return { kind: 'problem', problem: near };
    const said = isPlain ? saidLine(line) : null;
    if (said === null) return unknownCommand(word, { ...read, free, line }, person);
    const meant = await lineOf(tokenizeLine(said), said, person);
    return meant.kind === 'kept' ? meant : { kind: 'kept', alias: { name: null, line: said }, parsed: meant };
  };

  const lineOf = async (read: TokenizedLine, line: string, person: PersonId): Promise<LineResult> => {
    if (read.kind === 'fault') {
      const problem = usageProblem({ name: '', usage: 'help' }, read.fault);
      const found = await offers.forFault(read.fault, line, person);
      return { kind: 'problem', problem: found.length === 0 ? problem : { ...problem, offers: found } };
    }
    const commandLine = isSentence(line) ? null : commandLineOf(registry, read.words, line);
    if (commandLine === null) return withoutCommand(read.words, line, person);
    const parsed = await parseWithOffers(commandLine, person);
    // For a mistyped saved target, the known ones are offered.
    return usesSavedTarget(commandLine.words) ? { kind: 'kept', alias: null, parsed } : parsed;
  };

  return async (typed: string, person: PersonId): Promise<LineResult> => {
    const text = withoutCourtesy(typed);
    const alias = await expandAlias(text, {
      isCommand: (word) => registry.find(word) !== null,
      find: (name) => settings.aliases.find(person, name),
    });
    if (alias === null) return lineOf(tokenizeTyped(text), plainLine(text), person);
    const reading = await lineOf(tokenizeLine(alias.line), alias.line, person);
    return { kind: 'kept', alias, parsed: reading.kind === 'kept' ? reading.parsed : reading };
  };
}

/** The command that a sentence names: what it looks at, or its help. */
export function commandIn(text: string, { find }: Pick<Registry, 'find'>): string | null {
  const command = text
    .split(/\W+/)
    .map(find)
    .find((one) => one !== null);
  if (command === undefined || command === null) return null;
  const looks = command.kind === 'read' || (command.kind === 'setting' && command.form === undefined);
  const alone = { free: [], filters: [], flags: [], reason: null };
  return looks && command.parse(alone).kind === 'input' ? command.name : `help ${command.name}`;
}

/** A sentence, with the line that may have been meant; null where that is no command. */
export async function unknownLine(
  sentence: string,
  line: string,
  parsed: ParsedLine,
  others: readonly Offer[] = [],
) {
  if (parsed.kind !== 'command' && parsed.kind !== 'fill-in') return null;
  const { command } = parsed;
  const offers = await lineOffers([line], async () => suggestionOf(command, parsed));
  return unknownWith(sentence, [command.name], [...offers, ...others]).problem;
}

/** `nearest`: commands that may have been meant. */
function unknownWith(word: string, nearest: readonly string[], found: readonly Offer[]) {
  const known = { kind: 'unknown-command', word, nearest, root: ROOT_COMMAND } as const;
  return { kind: 'problem', problem: found.length === 0 ? known : { ...known, offers: found } } as const;
}

type ParseCommand = (command: Command, words: LineWords, person: PersonId) => Promise<ParsedLine>;

function createCommandParser({ settings, registry }: LineParserOptions): ParseCommand {
  const parsed = async (
    command: Command,
    words: LineWords,
    person: PersonId,
  ): Promise<TypedInput<unknown>> => {
    if (command.kind === 'setting' || command.targets === undefined) return command.parse(words);
    const full = await expandSaved(words, { saved: settings.saved, person }, command.targets);
    return full.kind === 'fault' ? full : command.parse(full.words);
  };

  return async (command, typed, person) => {
    const isExplained = command.name === 'explain';
    const timed = isExplained ? registry.find(typed.free[0] ?? '') : command;
    const time = timed && timeInLine(timed, typed);
    const words = time?.words ?? typed;
    const answer = await parsed(command, words, person);
    const { name, usage } = command;
    const wanted = (does: 'run' | 'set' | 'form', input: unknown, when: string): ParsedLine => ({
      kind: 'time',
      command,
      problem: { kind: 'no-schedules', when, does, choice: { command: name, input }, needsApproval: null },
    });
    if (answer.kind === 'input')
      return time === null
        ? { kind: 'command', command, input: answer.input }
        : wanted(isExplained ? 'run' : 'set', answer.input, time.when);
    const { fault } = answer;
    if (fault.kind !== 'missing' || command.form === undefined)
      return { kind: 'problem', problem: usageProblem(command, fault) };
    const prefill = prefillFrom(command, words, fault);
    if (time !== null) return wanted('form', prefill, time.when);
    const missing = fault.what;
    return {
      kind: 'fill-in',
      command,
      view: { kind: 'fill-in', command: name, prefill, missing, usage, root: ROOT_COMMAND },
    };
  };
}

/** Lines that may have been meant, each parsed before it is offered. */
function createTypoOffers({ registry }: LineParserOptions, parseCommand: ParseCommand) {
  const suggestionFor = (person: PersonId) => async (candidate: string) => {
    const read = tokenizeLine(candidate);
    const found = read.kind === 'fault' ? null : commandLineOf(registry, read.words, candidate);
    return found && suggestionOf(found.command, await parseCommand(found.command, found.words, person));
  };
  return {
    forFault: async (fault: UsageFault, line: string, person: PersonId): Promise<readonly Offer[]> => {
      if (fault.kind === 'option-in-reason')
        return lineOffers(optionOrReason(line, fault.option), suggestionFor(person));
      if (fault.kind === 'open-quote')
        return lineOffers(closedQuote(line, fault.near), suggestionFor(person));
      return fault.kind === 'unknown-word' ? valueTypoOffers(fault, line, suggestionFor(person)) : [];
    },
    forLines: (lines: readonly string[], person: PersonId) => lineOffers(lines, suggestionFor(person)),
    /**
     * Without a close match, the line with the device after its command, as in `web-01 reboot`. A line with saved
     * targets gets no suggestions: they could reveal names to people who may not read.
     */
    forCommand: async (word: string, words: CommandLine['words'], person: PersonId) => {
      if (usesSavedTarget(words)) return [];
      const swapped = registry.nearest(word).length > 0 ? null : commandFirst(registry, words.line);
      if (swapped !== null) return lineOffers([swapped], suggestionFor(person));
      const found = await commandTypoOffers(registry, { word, line: words.line }, async (command, line) =>
        suggestionOf(command, await parseCommand(command, { ...words, line }, person)),
      );
      // The rest of the line is wrong too.
      const helps = registry.nearest(word).map((name) => `help ${name}`);
      return found.length > 0 ? found : lineOffers(helps, suggestionFor(person));
    },
  };
}

/** Closed before the reason. None for a saved target: the line could reveal it to people who may not read. */
function closedQuote(line: string, near: string): readonly string[] {
  const inside = line.slice(line.indexOf(near));
  const value = inside.replace(/ +because .*$/i, '');
  const closed = `${line.slice(0, line.length - inside.length)}${value}${near.charAt(0)}${inside.slice(value.length)}`;
  const read = tokenizeLine(closed);
  return read.kind === 'fault' || usesSavedTarget(read.words) ? [] : [closed];
}

/** The line with its first two words swapped, where the second is a command. */
function commandFirst({ find }: Pick<Registry, 'find'>, line: string): string | null {
  const [, first, second = '', rest] = /^(\S+) +(\S+)(.*)$/s.exec(line) ?? [];
  return find(second) === null ? null : `${second} ${first}${rest}`;
}

function suggestionOf(command: Command, parsedLine: ParsedLine): ParsedSuggestion | null {
  switch (parsedLine.kind) {
    case 'problem':
    case 'time':
    case 'greeting':
      return null;
    case 'fill-in':
      return { command, input: null, prefill: parsedLine.view.prefill };
    case 'command':
      return { command, input: parsedLine.input, prefill: parsedLine.input };
  }
}

/** The command at the start of a line with the words after it; null without one. */
function commandLineOf(registry: Pick<Registry, 'find'>, read: LineWords, line: string): CommandLine | null {
  const [word = '', ...free] = read.free;
  const command = registry.find(word);
  if (command !== null) return { command, words: { ...read, free, line } };
  const name = impliedCommand(read, line);
  const implied = name === null ? null : registry.find(name);
  return implied && { command: implied, words: { ...read, line: `${implied.name} ${line}` } };
}

/** A line without a command: filters list devices, and a CVE lists the devices missing a patch for it. */
function impliedCommand({ free, filters }: LineWords, line: string): string | null {
  const [word] = free;
  const [filter] = filters;
  if (word !== undefined && isBareCve(word)) return 'missing';
  if (filter !== undefined && line.startsWith(filter.text))
    return filter.key === 'cve' ? 'missing' : 'devices';
  return word === undefined ? 'help' : null;
}

/** If only the reason after `because` is missing, everything else is passed on. */
export function prefillFrom(
  { parse }: Pick<Command, 'parse'>,
  words: LineWords,
  fault: Extract<UsageFault, { kind: 'missing' }>,
): unknown {
  if (fault.prefill !== undefined || words.reason !== '') return fault.prefill ?? {};
  const parsed = parse({ ...words, reason: null });
  if (parsed.kind === 'input') return parsed.input;
  return (parsed.fault.kind === 'missing' ? parsed.fault.prefill : null) ?? {};
}
