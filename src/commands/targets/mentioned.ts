/** Which devices a text speaks of: by `#id`, and by whole names as people write them. */
import type { DeviceId } from '../../ids.ts';
import { fold } from '../../text.ts';
import type { ReadPorts } from '../command.ts';
import { unwrap } from '../line/slack-text.ts';
import { PERSON } from './resolve.ts';

/** A hostname or an id; what stands around it in a sentence is not part of it. */
const WORD = /#\d+|[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu;
/** More words than this are no message about a device. */
const MOST_WORDS = 200;

/** The words of these texts that could be names or ids, each once, in their order. */
export function wordsIn(texts: readonly string[]): readonly string[] {
  const words = new Set<string>();
  for (const text of texts) for (const [word] of unwrap(text).matchAll(WORD)) words.add(word);
  return [...words].slice(0, MOST_WORDS);
}

/** The devices with such a name or id, in the order of the words; a name that several have means all of them. */
export async function devicesIn(
  texts: readonly string[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<readonly DeviceId[]> {
  const ids = new Set<DeviceId>();
  for (const word of wordsIn(texts)) {
    // A number without its mark may be anything.
    if (/^\d+$/.test(word)) continue;
    // Most words are no names, and everybody would wait while for each of them what is near was looked for.
    const found = await inventory.find(word, { ...PERSON, exact: true });
    const devices = found.kind === 'several' ? found.devices : found.kind === 'one' ? [found.device] : [];
    for (const { id, name, customName } of devices) {
      const names = [`#${id}`, name, customName ?? ''].map(fold);
      // The rest of what finds a device, such as who is logged in, is said of much else too.
      if (names.includes(fold(word))) ids.add(id);
    }
  }
  return [...ids];
}
