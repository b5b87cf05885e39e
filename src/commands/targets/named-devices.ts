/** Several devices that are named in one line, or by their group: taken where every word is a known device, else offered. */
import { fold } from '../../lib/text.ts';
import type { Problem } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { DeviceFilter } from './device-filters.ts';
import { type DeviceRef, PERSON_PRIORITY } from './resolve-device.ts';
import { unknownFilterValue } from './select-devices.ts';
import { joinNames, namesWithWords } from './several-devices.ts';
import { type TargetCommand, targetOffer } from './target-offer.ts';

type NamePorts = Pick<ReadPorts, 'inventory'>;

/**
 * The names between commas or spaces, unless one device has all of it as its name; null where one is meant. Spaces part
 * names only where each of them is a known device.
 */
export async function severalNames(typed: DeviceRef, ports: NamePorts): Promise<readonly string[] | null> {
  if (typeof typed !== 'string' || !/[ ,]/.test(typed) || (await isDevice(typed, ports))) return null;
  const names: string[] = [];
  for (const { name, words: parts } of namesWithWords(typed)) {
    // A line of a pasted list may hold several.
    const words = parts.length > 1 ? parts : name.split(' ');
    const isList = words.length > 1 && (await unknownIn(words, ports)).length === 0;
    names.push(...(isList && !(await isDevice(name, ports)) ? words : [name]));
  }
  return names.length > (typed.includes(',') ? 0 : 1) ? [...new Set(names)] : null;
}

/** Which of the words after a device are names of packages, and which of the others are no devices. */
export async function namesAfter(device: DeviceRef | undefined, words: readonly string[], ports: NamePorts) {
  if (typeof device !== 'string' || /[ ,]/.test(device) || !(await isDevice(device, ports))) return null;
  const packages = words.filter((word) =>
    ports.inventory.suggest('package', word, 1).some(({ label }) => fold(label) === fold(word)),
  );
  const names = words.filter((word) => !packages.includes(word));
  const unknown = await unknownIn(names, ports);
  return unknown.length === names.length ? null : { names: [device, ...names], packages, unknown };
}

/** Whether this is the whole name or the id of a device, or of several. */
async function isDevice(name: string, { inventory }: NamePorts): Promise<boolean> {
  const found = await inventory.find(name, { ...PERSON_PRIORITY, exact: true, namesOnly: true });
  return found.kind !== 'none';
}

async function unknownIn(words: readonly string[], ports: NamePorts): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const word of words) if (!(await isDevice(word, ports))) unknown.push(word);
  return unknown;
}

const isAnd = (word: string): boolean => word.toLowerCase() === 'and';

/** More words that are no devices are no slips, and each is compared with all names. */
const MAX_CORRECTED = 5;

/** Where some of the words are devices and others are not: what may have been meant. Null where that is not so. */
export async function partlyNamedProblem(
  typed: DeviceRef,
  command: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  if (typeof typed !== 'string' || !typed.includes(' ')) return null;
  const words = namesWithWords(typed).flatMap((one) => one.words);
  const unknown = await unknownIn(words, ports);
  const whole = await ports.inventory.find(typed, { ...PERSON_PRIORITY, exact: true });
  return whole.kind === 'none' ? unknownNamesProblem(words, unknown, command, ports) : null;
}

/** The names without the unknown ones, or with the closest in their place; null where all or none are known. */
export async function unknownNamesProblem(
  words: readonly string[],
  unknown: readonly string[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  const known = words.filter((word) => !unknown.includes(word));
  if (known.length === 0 || unknown.length === 0) return null;
  const slips = unknown.filter((word) => !isAnd(word));
  const right = await corrected(words, slips, ports);
  const lists = [...(right === null || slips.length === 0 ? [] : [right]), known];
  const { packages = [] } = command;
  const devices = [...new Set(lists.map(joinNames))];
  const offers = devices.map((device) => targetOffer({ device }, command, ports, packages));
  return { kind: 'not-all-devices', query: words.join(' '), unknown: slips, offers };
}

/** The words with the closest name for every slip; null where one has none, or they are many. */
async function corrected(
  words: readonly string[],
  slips: readonly string[],
  { inventory }: NamePorts,
): Promise<readonly string[] | null> {
  if (slips.length > MAX_CORRECTED) return null;
  const nearest = new Map<string, string>();
  for (const word of slips) {
    const found = await inventory.find(word, { ...PERSON_PRIORITY, namesOnly: true });
    const [name] = found.kind === 'none' ? found.nearest : [];
    if (name === undefined) return null;
    nearest.set(word, name);
  }
  const meant = words.filter((word) => !isAnd(word)).map((word) => nearest.get(word) ?? word);
  return [...new Set(meant)];
}

/** The filters that select the devices of a group, a tag or a system of this name. */
export async function filtersNamed(
  words: string,
  { inventory, clock }: Pick<ReadPorts, 'inventory' | 'clock'>,
): Promise<readonly DeviceFilter[]> {
  const value = words
    .replace(/^(?:(?:all|list|my|our|show|the) )+| (?:computers|devices|machines)$/gi, '')
    .replace(/^(.+) (?:in|of) (?:the )?(.+)$/i, '$2 $1')
    .trim();
  // A shorter word stands in the name of many a system, and a number is that of a device.
  if (/^.{0,2}$|^[#\d.]+$/.test(value)) return [];
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  return (['group', 'tag', 'os'] as const)
    .map((key): DeviceFilter => ({ key, value, negated: false }))
    .filter((one) => unknownFilterValue([one], snapshot, clock.now()) === null);
}

/** Where no device but a group, a tag or a system has the name: the change of its devices. Null where none has. */
export async function groupNamedProblem(
  device: DeviceRef,
  { packages = [], ...command }: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  if (typeof device !== 'string' || (await isDevice(device, ports))) return null;
  // No name of a group has more words.
  for (let count = Math.min(packages.length, 4); count >= 0; count -= 1) {
    const query = [device, ...packages.slice(0, count)].join(' ');
    const rest = packages.slice(count);
    const again = count === 0 ? command : { ...command, input: { ...command.input, packages: rest } };
    const offers = (await filtersNamed(query, ports))
      .filter(({ key }) => !command.usage.includes(`[${key}:`))
      .map((one) => targetOffer({ filters: [one] }, again, ports, rest));
    if (offers.length > 0) return { kind: 'no-such-device', query, nearest: [], offers };
  }
  return null;
}
