/** Which devices a text speaks of: by `#id`, and by whole names as people write them. */

import { FleetFailure } from '../../fleet/fleet.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { ReadPorts } from '../core/command.ts';
import { unwrapSlackText } from '../parser/slack-text.ts';
import { type DeviceRef, PERSON_PRIORITY } from './resolve-device.ts';

/** A hostname or an id; what stands around it in a sentence is not part of it. */
export const DEVICE_WORD = /#\d+|[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu;
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
