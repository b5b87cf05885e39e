/** Settings in memory, as the store keeps them. */
import type { AlertSettings, NamedLines, SettingsPort } from '../../../src/commands/core/settings-port.ts';
import { newPauseId, type PersonId } from '../../../src/lib/ids.ts';
import type { NamedLine, PauseRecord } from '../../../src/store/port/settings-records.ts';
import { START } from '../../harness/builders.ts';

/** Alert routing: no alerts go anywhere and nothing changes, except what `alerts` overrides. */
export function createFakeSettings(alerts: Partial<AlertSettings> = {}): SettingsPort {
  const zones = new Map<PersonId, string>();
  let pause: PauseRecord | null = null;
  return {
    alerts: { ...NO_ALERTS, ...alerts },
    recordAcceptedRemovals: async () => undefined,
    aliases: namedLines(),
    saved: namedLines(),
    people: {
      timezone: async (person) => zones.get(person) ?? 'UTC',
      timezoneChoice: async (person) => {
        const zone = zones.get(person);
        return zone === undefined ? { zone: 'UTC', timezoneChoice: false } : { zone, timezoneChoice: true };
      },
      setTimezone: async (person, zone) => {
        if (zone === null) zones.delete(person);
        else zones.set(person, zone);
      },
    },
    pause: {
      current: async () => pause,
      begin: async (by, reason) => {
        if (pause !== null && reason !== null) {
          pause = { ...pause, reason };
          return { kind: 'reason-added', pause };
        }
        if (pause !== null) return { kind: 'already', pause };
        pause = { id: newPauseId(), by, reason, since: START, endedBy: null, endedAt: null };
        return { kind: 'begun', pause };
      },
      end: async (by, which) => {
        if (pause === null) return null;
        if (which !== undefined && ('id' in which ? which.id !== pause.id : which.begunBy < pause.since))
          return null;
        const ended = { ...pause, endedBy: by, endedAt: START };
        pause = null;
        return ended;
      },
    },
  };
}

const rejects = async (): Promise<never> => {
  throw new Error('nothing of alerts is changed here');
};

const NO_ALERTS: AlertSettings = {
  fixed: [],
  subscriptions: async () => [],
  silences: async () => [],
  list: async () => ({ total: 0, rows: [] }),
  shown: async () => null,
  ofEvent: async () => null,
  members: async () => ({ total: 0, rows: [] }),
  channel: async () => ({ kind: 'stranger' }),
  direct: async () => null,
  subscribe: rejects,
  unsubscribe: async () => null,
  silence: rejects,
  unsilence: async () => null,
  acknowledge: async () => ({ kind: 'absent' }),
};

/** A third name of one person is refused. */
export const SMALL_NAME_LIMIT = 2;

function namedLines(): NamedLines {
  let lines: readonly NamedLine[] = [];
  const isSame = (a: Pick<NamedLine, 'owner' | 'name'>) => (b: NamedLine) =>
    a.owner === b.owner && a.name === b.name;
  return {
    save: async (named) => {
      const others = lines.filter((one) => !isSame(named)(one));
      if (others.filter(({ owner }) => owner === named.owner).length >= SMALL_NAME_LIMIT) return 'full';
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
