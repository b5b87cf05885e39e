/** From a typed line to what is asked: the alias that it begins with, the command, saved targets, the command's own words. */
import type { PersonId } from '../../ids.ts';
import type { Problem, UsageFault, View } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import type { Command, Parsed } from '../command.ts';
import type { Registry } from '../registry.ts';
import type { NamedLines } from '../settings.ts';
import { type Expanded, expandAlias } from './aliases.ts';
import { isBareCve } from './cve.ts';
import { givenIn } from './given.ts';
import { plainLine, type Read, readLine, readWords, type Words } from './grammar.ts';
import { isGreeting } from './greeting.ts';
import { type Meaning, mistypedOffers, slippedOffers } from './mistyped.ts';
import { expandSaved, SAVED_KEY } from './saved-targets.ts';

export type Asked =
  | { readonly kind: 'command'; readonly command: Command; readonly input: unknown }
  /** Something lacks, and the command has a form that asks for it. */
  | {
      readonly kind: 'fill-in';
      readonly command: Command;
      readonly view: Extract<View, { kind: 'fill-in' }>;
    }
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      /** The line begins with no command and has words alone: they may name a device. */
      readonly named?: string;
    }
  | { readonly kind: 'greeting' };

export type Reading =
  | Asked
  /** Rests on names that people keep, maybe for everybody: only those who may look are told what comes of it. */
  | {
      readonly kind: 'kept';
      /** The alias that the line began with, and the whole line that it made. */
      readonly alias: Expanded | null;
      readonly asked: Asked;
    };

export type ReadingOptions = {
  readonly registry: Pick<Registry, 'find' | 'nearest'>;
  readonly settings: {
    readonly aliases: Pick<NamedLines, 'find'>;
    readonly saved: Pick<NamedLines, 'find' | 'list'>;
  };
  readonly root: string;
};

/** Reads what a person typed after the root command, with their own names. Asks for no rights and runs nothing. */
export function createReading({ registry, settings, root }: ReadingOptions) {
  const usage = (
    { name, usage }: Pick<Command, 'name' | 'usage'>,
    fault: UsageFault,
    offers: readonly Offer[] = [],
  ): Asked => {
    const problem = { kind: 'usage', command: name, usage, fault, root } as const;
    return { kind: 'problem', problem: offers.length === 0 ? problem : { ...problem, offers } };
  };

  const parsed = async (command: Command, words: Words, person: PersonId): Promise<Parsed<unknown>> => {
    if (command.kind === 'setting' || command.targets !== true) return command.parse(words);
    const full = await expandSaved(words, {
      find: (name) => settings.saved.find(person, name),
      list: () => settings.saved.list(person),
    });
    return full.kind === 'fault' ? full : command.parse(full.words);
  };

  const askedOf = async (command: Command, words: Words, person: PersonId): Promise<Asked> => {
    const answer = await parsed(command, words, person);
    if (answer.kind === 'input') return { kind: 'command', command, input: answer.input };
    const { fault } = answer;
    if (fault.kind !== 'missing' || command.form === undefined) return usage(command, fault);
    const given = givenIn(command, words, fault);
    const shown = { command: command.name, given, missing: fault.what, usage: `${root} ${command.usage}` };
    return { kind: 'fill-in', command, view: { kind: 'fill-in', ...shown } };
  };

  const meaningOf = (command: Command, asked: Asked): Meaning | null => {
    switch (asked.kind) {
      case 'problem':
      case 'greeting':
        return null;
      case 'fill-in':
        return { command, input: null, given: asked.view.given };
      case 'command':
        return { command, input: asked.input, given: asked.input };
    }
  };

  /** The command that a line begins with, and the words after it; null where it begins with none. */
  const begun = (read: Words, line: string): Begun | null => {
    const [word = '', ...free] = read.free;
    const command = registry.find(word);
    if (command !== null) return { command, words: { ...read, free, line } };
    const name = impliedBy(read, line);
    const implied = name === null ? null : registry.find(name);
    return implied && { command: implied, words: { ...read, line: `${implied.name} ${line}` } };
  };

  /** What the command says, and of a word that it does not know the lines that may have been meant. */
  const readBy = async (
    command: Command,
    words: Words & { readonly line: string },
    person: PersonId,
  ): Promise<Asked> => {
    const asked = await askedOf(command, words, person);
    if (asked.kind !== 'problem' || asked.problem.kind !== 'usage') return asked;
    const { fault } = asked.problem;
    if (fault.kind !== 'unknown-word' || namesSaved(words)) return asked;
    const offers = await slippedOffers(fault, { line: words.line, root }, async (line) => {
      const read = readLine(line);
      if (read.kind === 'fault') return null;
      const meant = begun(read.words, line);
      return meant && meaningOf(meant.command, await askedOf(meant.command, meant.words, person));
    });
    return usage(command, fault, offers);
  };

  /** Where it names saved targets nothing is offered: they may be everybody's, but not of everybody who writes. */
  const unknown = async (
    word: string,
    words: Words & { readonly line: string },
    person: PersonId,
  ): Promise<Reading> => {
    if (isGreeting(words.line)) return { kind: 'greeting' };
    const typed = { word, line: words.line, root };
    const offers = namesSaved(words)
      ? []
      : await mistypedOffers(registry, typed, async (command, line) =>
          meaningOf(command, await askedOf(command, { ...words, line }, person)),
        );
    const known = { kind: 'unknown-command', word, nearest: registry.nearest(word), root } as const;
    const problem = offers.length === 0 ? known : { ...known, offers };
    const { free, filters, flags, reason } = words;
    const isWords = filters.length === 0 && flags.length === 0 && reason === null;
    return { kind: 'problem', problem, ...(isWords ? { named: [word, ...free].join(' ') } : {}) };
  };

  const lineOf = async (read: Read, line: string, person: PersonId): Promise<Reading> => {
    if (read.kind === 'fault') return usage({ name: '', usage: `${root} help` }, read.fault);
    const meant = begun(read.words, line);
    if (meant === null) {
      const [word = '', ...free] = read.words.free;
      return unknown(word, { ...read.words, free, line }, person);
    }
    const { command, words } = meant;
    const asked = await readBy(command, words, person);
    // Where the name of a saved target is mistyped, the known ones are offered.
    return namesSaved(words) ? { kind: 'kept', alias: null, asked } : asked;
  };

  return async (text: string, person: PersonId): Promise<Reading> => {
    const alias = await expandAlias(text, {
      isCommand: (word) => registry.find(word) !== null,
      find: (name) => settings.aliases.find(person, name),
    });
    if (alias === null) return lineOf(readWords(text), plainLine(text), person);
    const reading = await lineOf(readLine(alias.line), alias.line, person);
    return { kind: 'kept', alias, asked: reading.kind === 'kept' ? reading.asked : reading };
  };
}

type Begun = { readonly command: Command; readonly words: Words & { readonly line: string } };

/** What is asked without the name of a command: filters list devices, and a CVE asks which devices miss a patch for it. */
function impliedBy({ free, filters }: Words, line: string): string | null {
  const [word] = free;
  const [filter] = filters;
  if (word !== undefined && isBareCve(word)) return 'missing';
  if (filter !== undefined && line.startsWith(filter.text))
    return filter.key === 'cve' ? 'missing' : 'devices';
  return word === undefined ? 'help' : null;
}

function namesSaved({ filters }: Words): boolean {
  return filters.some(({ key }) => key === SAVED_KEY);
}
