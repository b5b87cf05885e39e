/** Which devices a text speaks of: by `#id`, and by whole names as people write them. */

import { FleetFailure } from '../../fleet/fleet.ts';
import { groupLabel } from '../../fleet/model/derived-fields.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { ReadPorts } from '../core/command.ts';
import { unwrapSlackText } from '../parser/slack-text.ts';
import { quoteWord } from '../parser/tokenizer.ts';
import { filterText } from './device-filters.ts';
import { deviceQueryText } from './device-query.ts';
import { filtersNamed } from './named-devices.ts';
import { type DeviceRef, PERSON_PRIORITY } from './resolve-device.ts';
import { joinedByOr } from './select-devices.ts';

/** A hostname or an id; what stands around it in a sentence is not part of it. */
const DEVICE_WORD = /#\d+|[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu;
/** More words than this are no message about a device. */
const MAX_WORDS = 200;

/** The words of these texts that could be names or ids, each once, in their order. */
export function wordsIn(texts: readonly string[]): readonly string[] {
  const words = new Set<string>();
  for (const text of texts) for (const [word] of unwrapSlackText(text).matchAll(DEVICE_WORD)) words.add(word);
  return [...words].slice(0, MAX_WORDS);
}

/**
 * The devices with such a name or id, each with its word; a name that several have means all of them. `others`: words
 * that find devices by the rest, such as who is logged in, which is said of much else too.
 */
export async function mentionsIn(texts: readonly string[], { inventory }: Pick<ReadPorts, 'inventory'>) {
  const devices = new Map<DeviceId, string>();
  const others: string[] = [];
  for (const word of wordsIn(texts)) {
    // A number without its mark may be anything.
    if (/^\d+$/.test(word)) continue;
    // Most words are no names, and everybody would wait while for each of them what is near was looked for.
    const found = await inventory.find(word, { ...PERSON_PRIORITY, exact: true });
    if (found.kind === 'none') continue;
    const named = (found.kind === 'several' ? found.devices : [found.device]).filter((one) =>
      [`#${one.id}`, one.name, one.customName ?? ''].map(fold).includes(fold(word)),
    );
    for (const { id } of named) devices.set(id, word);
    if (named.length === 0) others.push(word);
  }
  return { devices, others };
}

/**
 * The device that a line without a command names: its number, or the words where they name several devices; null where
 * they name none, or the fleet cannot be read. Users, addresses and serial numbers count where these ports have them.
 */
export async function deviceNamedBy(
  words: string,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<DeviceRef | null> {
  try {
    const found = await inventory.find(words, { ...PERSON_PRIORITY, exact: true });
    if (found.kind === 'none') return null;
    return found.kind === 'one' ? found.device.id : words;
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}

/**
 * The device that the words name; else the line that lists the devices of the group, tag or system that is so named, or
 * that shows what the sentence mentions, or a single word as a device. Only a device where they begin with something like
 * a command. What would change is never guessed.
 */
export async function devicesSaid(
  words: string,
  { word, nearest }: { readonly word: string; readonly nearest: readonly string[] },
  ports: Pick<ReadPorts, 'inventory' | 'clock'>,
): Promise<{ readonly device: DeviceRef } | string | null> {
  const named = await deviceNamedBy(words, ports);
  if (named !== null) return { device: named };
  if (nearest.length > 0) return null;
  const [filter] = await filtersNamed(words, ports);
  if (filter !== undefined) return `devices ${deviceQueryText({ words: [], filters: [filter] })}`;
  return (await lineOfMentions(words, ports)) ?? (words === word ? { device: word } : null);
}

/** A sentence with one of these asks what was done to a device. */
const PAST =
  /\b(?:why|when|did|was|were|fail(?:s|ed|ures?)?|asked|requested|approved|denied|(?:re)?tr(?:y|ied)|history|happened|alerts?|last)\b/i;

/** What a sentence is about, and the page of the device that shows it. */
const PAGES: readonly (readonly [about: RegExp, page: string])[] = [
  [/\blast seen\b/i, ''],
  [/\b(?:disks?|volumes?|storage|space)\b/i, ' volumes'],
  [/\b(?:memory|ram|cpu|hardware|model)\b/i, ' hardware'],
  [PAST, ' timeline'],
];

const CHANGE = /\b(?:patch|install|updat|upgrad|re(?:boot|start)|scan)/i;

/** Shows the card, timeline or list of the devices that it mentions; else those of a user; else the package or group. */
export async function lineOfMentions(
  sentence: string,
  ports: Pick<ReadPorts, 'inventory'>,
): Promise<string | null> {
  const { devices, others } = await mentionsIn([sentence], ports);
  const [device] = devices.values();
  if (device !== undefined && devices.size === 1)
    return `device ${quoteWord(device)}${PAGES.find(([about]) => about.test(sentence))?.[1] ?? ''}`;
  if (devices.size > 1) return `devices ${joinedByOr([...devices.keys()].map((id) => `#${id}`)).join(' ')}`;
  const [owner] = others;
  if (owner !== undefined) return `devices ${quoteWord(owner)}`;
  const group = await groupSaid(sentence, ports);
  const inGroup = group === undefined ? '' : filterText('group', group);
  const name = wordsIn([sentence])
    .slice(0, MAX_PACKAGE_WORDS)
    .find((word) => isPackageWord(word, ports));
  // What is installed where is not known for the whole fleet.
  if (name !== undefined && /\binstalled\b/i.test(sentence)) return null;
  if (name !== undefined) return `missing ${quoteWord(name)} ${inGroup}`.trim();
  if (group === undefined) return null;
  // The list has the buttons of these changes.
  return CHANGE.test(sentence) ? `devices ${inGroup}` : `group ${quoteWord(group)}`;
}

/** The longest name of a group that stands in the sentence. */
async function groupSaid(
  sentence: string,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<string | undefined> {
  const { groups } = await inventory.snapshot(PERSON_PRIORITY);
  const said = spaced(sentence);
  return [...groups.values()]
    .map(groupLabel)
    .filter((label) => label.length > 2 && said.includes(spaced(label)))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** What answers a sentence for the whole fleet. */
const GENERAL = /^(?:alerts|operations|status)\b/;
/** A list that a group can narrow. */
const LIST = /^(?:devices|missing)\b(?!.*\bgroup:)/;

/** The device or group that a sentence asks about, where it was read as a line without one; null: none. */
export async function closerLine(sentence: string, line: string, ports: Pick<ReadPorts, 'inventory'>) {
  if (LIST.test(line)) {
    const group = await groupSaid(sentence, ports);
    return group === undefined ? null : `${line} ${filterText('group', group)}`;
  }
  const meant = GENERAL.test(line) ? await lineOfMentions(sentence, ports) : null;
  return meant !== null && (line === 'status' ? /^device / : /^device .* timeline$/).test(meant)
    ? meant
    : null;
}

const spaced = (text: string): string => ` ${fold(wordsIn([text]).join(' '))} `;

/** Words that are looked up among the packages: each takes 6 ms with 5,000 names, and everybody waits meanwhile. */
const MAX_PACKAGE_WORDS = 15;
/** Words of sentences that stand in the names of packages too. */
const NO_PACKAGE =
  /^(?:.{1,2}|the|and|for|servers?|clients?|updates?|systems?|tools?|security|windows|linux)$/i;

/** Whether a package is so named, or has it in its name, as `GoogleChrome` has `chrome`: these are offered then. */
function isPackageWord(word: string, { inventory }: Pick<ReadPorts, 'inventory'>): boolean {
  const labels = NO_PACKAGE.test(word) ? [] : inventory.suggest('package', word, 10);
  return labels
    .flatMap(({ label }) => [label, ...label.split(/[^\p{L}\p{N}]|(?<=\p{Ll})(?=\p{Lu})/u)])
    .some((part) => fold(part) === fold(word));
}
