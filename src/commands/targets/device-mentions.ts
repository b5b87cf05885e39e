/** Which devices a text speaks of: by `#id`, and by whole names as people write them. */

import { FleetFailure } from '../../fleet/fleet.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { ReadPorts } from '../core/command.ts';
import { unwrapSlackText } from '../parser/slack-text.ts';
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

/** The devices with such a name or id, in the order of the words; a name that several have means all of them. */
export async function devicesMentioned(
  texts: readonly string[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<readonly DeviceId[]> {
  const ids = new Set<DeviceId>();
  for (const word of wordsIn(texts)) {
    // A number without its mark may be anything.
    if (/^\d+$/.test(word)) continue;
    // Most words are no names, and everybody would wait while for each of them what is near was looked for.
    const found = await inventory.find(word, { ...PERSON_PRIORITY, exact: true });
    const devices = found.kind === 'several' ? found.devices : found.kind === 'one' ? [found.device] : [];
    for (const { id, name, customName } of devices) {
      const names = [`#${id}`, name, customName ?? ''].map(fold);
      // The rest of what finds a device, such as who is logged in, is said of much else too.
      if (names.includes(fold(word))) ids.add(id);
    }
  }
  return [...ids];
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
 * What `device` answers to words that name a device; else the devices of the group, tag or system that is so named, or
 * what `device` answers to a single word. Else, where they begin with nothing like a command, the card of the one device
 * or the list of the devices that the sentence mentions. It only looks: what would
 * change is never guessed. `line`: what it was read as, where that has to be said.
 */
export async function devicesSaid(
  words: string,
  { word, nearest }: { readonly word: string; readonly nearest: readonly string[] },
  ports: Pick<ReadPorts, 'inventory' | 'clock'>,
): Promise<{ readonly name: string; readonly input: object; readonly line?: string } | null> {
  const named = await deviceNamedBy(words, ports);
  if (named !== null) return { name: 'device', input: { device: named } };
  const [filter] = nearest.length > 0 ? [] : await filtersNamed(words, ports);
  if (filter !== undefined) {
    const query = { words: [], filters: [filter] };
    return { name: 'devices', input: query, line: `devices ${deviceQueryText(query)}` };
  }
  if (words === word && nearest.length === 0) return { name: 'device', input: { device: word } };
  const [device, ...others] = nearest.length > 0 ? [] : await devicesMentioned([words], ports);
  if (device === undefined) return null;
  if (others.length === 0) return { name: 'device', input: { device }, line: `device #${device}` };
  const either = joinedByOr([device, ...others].map((id) => `#${id}`));
  return { name: 'devices', input: { words: either, filters: [] }, line: `devices ${either.join(' ')}` };
}
