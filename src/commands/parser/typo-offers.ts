/** Suggestions for an unknown word: the same line with the word corrected, of which only those stay that would be answered. */

import { FleetFailure } from '../../fleet/fleet.ts';
import { nearestNames as nearestTo } from '../../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { Problem, UsageFault } from '../../views/views.ts';
import type { Command, ReadPorts, Registry } from '../core/command.ts';
import { plainLine } from './tokenizer.ts';

/** How a command would parse the rest of the line; null if it would reject it. */
export type ParsedSuggestion = {
  readonly command: Command;
  /** Null: a part is missing, and the form asks for it. */
  readonly input: unknown | null;
  readonly prefill: unknown;
};

/** Reads and settings are run; changes and incomplete lines open the form. */
export async function commandTypoOffers(
  { find, nearest }: Pick<Registry, 'find' | 'nearest'>,
  { word, line }: { readonly word: string; readonly line: string },
  parse: (command: Command, line: string) => Promise<ParsedSuggestion | null>,
): Promise<readonly Offer[]> {
  if (!line.toLowerCase().startsWith(word.toLowerCase())) return [];
  const rest = line.slice(word.length);
  const commands = new Map(nearest(word).map((name) => [`${name}${rest}`, find(name)]));
  return lineOffers([...commands.keys()], async (right) => {
    const command = commands.get(right) ?? null;
    return command === null ? null : parse(command, right);
  });
}

/** A line for each word close to the unknown one, if that occurs once in the line. */
export async function valueTypoOffers(
  fault: Extract<UsageFault, { kind: 'unknown-word' }>,
  line: string,
  parse: (line: string) => Promise<ParsedSuggestion | null>,
): Promise<readonly Offer[]> {
  const [before, after, ...more] = line.split(fault.word);
  if (before === undefined || after === undefined || more.length > 0) return [];
  const lines = nearestWords(fault).map(
    (near) => `${before}${replacedWord(fault.word, near)}${withCorrectedCommand(after, fault.word, near)}`,
  );
  return lineOffers(lines, parse);
}

export async function lineOffers(
  lines: readonly string[],
  parse: (line: string) => Promise<ParsedSuggestion | null>,
): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (const line of lines) {
    const suggestion = await parse(line);
    const offer = suggestion === null ? null : offerFor(suggestion, `${ROOT_COMMAND} ${plainLine(line)}`);
    if (offer !== null) offers.push(offer);
  }
  return offers;
}

/** Without a close match the fault lists all words, which are no suggestions. */
function nearestWords({
  word,
  nearest: known,
}: Extract<UsageFault, { kind: 'unknown-word' }>): readonly string[] {
  const isKey = known.some((name) => name.endsWith(':'));
  if (isKey) return nearestTo(word.replace(/^-/, '').replace(/:.*$/s, ':'), known);
  const key = /^-?([a-z][a-z_-]*:)/i.exec(word)?.[1]?.toLowerCase();
  if (key === undefined || !known.every((name) => name.startsWith(key))) return nearestTo(word, known);
  // The key is the same in all of them, and would make any two values look close.
  const values = known.map((name) => name.slice(key.length));
  return nearestTo(word.slice(word.indexOf(':') + 1), values).map((value) => `${key}${value}`);
}

/** `is:needs reboot` means `is:needs-reboot`, so the second word is removed. */
function withCorrectedCommand(after: string, word: string, near: string): string {
  if (!near.toLowerCase().startsWith(`${word.toLowerCase()}-`)) return after;
  const rest = near.slice(word.length + 1).replaceAll('-', ' ');
  const next = after.trimStart();
  const isRest = `${next.toLowerCase()} `.startsWith(`${rest.toLowerCase()} `);
  if (!isRest) return after;
  const others = next.slice(rest.length).trim();
  return others === '' ? '' : ` ${others}`;
}

/** For an unknown filter, only the key is corrected. */
function replacedWord(word: string, near: string): string {
  if (!near.endsWith(':')) return near;
  const dash = word.startsWith('-') ? '-' : '';
  return `${dash}${near}${word.slice(word.indexOf(':') + 1)}`;
}

function offerFor({ command, input, prefill }: ParsedSuggestion, line: string): Offer | null {
  const { name, kind, form } = command;
  // A setting without a form only lists values.
  const looks = kind === 'read' || (kind === 'setting' && form === undefined);
  if (input !== null && looks) return { kind: 'line', line, does: 'run', choice: { command: name, input } };
  if (input !== null && kind === 'setting')
    return { kind: 'line', line, does: 'set', choice: { command: name, input } };
  if (form === undefined) return null;
  return { kind: 'line', line, does: 'form', choice: { command: name, input: prefill } };
}

/** Reads names of the fleet, so it is only for people who may read it. If they cannot be read, all offers stay. */
export async function withAnswerableOffers(
  problem: Problem,
  registry: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<Problem> {
  if (problem.kind !== 'usage' && problem.kind !== 'unknown-command') return problem;
  const { offers = [], ...bare } = problem;
  const answering = await Promise.all(offers.map((offer) => answerableOffer(offer, registry, ports)));
  const answerable = answering.flat();
  return answerable.length === 0 ? bare : { ...bare, offers: answerable };
}

async function answerableOffer(
  offer: Offer,
  { find }: Pick<Registry, 'find'>,
  ports: ReadPorts,
): Promise<readonly Offer[]> {
  const command = offer.kind === 'line' && offer.does === 'run' ? find(offer.choice.command) : null;
  if (command?.kind !== 'read' || command.findUnknownName === undefined) return [offer];
  try {
    const slip = await command.findUnknownName(offer.choice.input, ports);
    if (slip === null) return [offer];
    return 'offers' in slip ? (slip.offers ?? []) : [];
  } catch (error) {
    if (error instanceof FleetFailure) return [offer];
    throw error;
  }
}
