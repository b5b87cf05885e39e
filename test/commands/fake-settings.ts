/** Settings in memory, as the store would keep them. */
import type { NamedLines, Settings } from '../../src/commands/settings.ts';
import { newPauseId, type PersonId } from '../../src/ids.ts';
import type { NamedLine, PauseRecord } from '../../src/store/settings-records.ts';
import { START } from '../harness/builders.ts';

export function createFakeSettings(): Settings {
  const zones = new Map<PersonId, string>();
  let pause: PauseRecord | null = null;
  return {
    aliases: namedLines(),
    saved: namedLines(),
    people: {
      timezone: async (person) => zones.get(person) ?? 'UTC',
      chosen: async (person) => {
        const zone = zones.get(person);
        return zone === undefined ? { zone: 'UTC', chosen: false } : { zone, chosen: true };
      },
      choose: async (person, zone) => {
        if (zone === null) zones.delete(person);
        else zones.set(person, zone);
      },
    },
    pause: {
      current: async () => pause,
      begin: async (by, reason) => {
        if (pause !== null) return { kind: 'already', pause };
        pause = { id: newPauseId(), by, reason, since: START, endedBy: null, endedAt: null };
        return { kind: 'begun', pause };
      },
      end: async (by, id) => {
        if (pause === null || (id !== undefined && id !== pause.id)) return null;
        const ended = { ...pause, endedBy: by, endedAt: START };
        pause = null;
        return ended;
      },
    },
  };
}

/** Two of a person are too many. */
export const FEW_NAMES = 2;

function namedLines(): NamedLines {
  let lines: readonly NamedLine[] = [];
  const isSame = (a: Pick<NamedLine, 'owner' | 'name'>) => (b: NamedLine) =>
    a.owner === b.owner && a.name === b.name;
  return {
    keep: async (named) => {
      const others = lines.filter((one) => !isSame(named)(one));
      if (others.filter(({ owner }) => owner === named.owner).length >= FEW_NAMES) return 'full';
      lines = [...others, { ...named, at: START }];
      return 'kept';
    },
    remove: async (named) => {
      const before = lines.length;
      lines = lines.filter((one) => !isSame(named)(one));
      return lines.length < before;
    },
    find: async (person, name) =>
      lines.find((one) => one.name === name && one.owner === person) ??
      lines.find((one) => one.name === name && one.owner === null) ??
      null,
    list: async (person) => lines.filter(({ owner }) => owner === null || owner === person),
  };
}
