/** What people want remembered, from the store, for settings commands. */
import { createPauseSwitch, type PauseSwitchOptions } from '../approvals/pause.ts';
import type { AlertSettings } from '../commands/alerting/alert-settings.ts';
import { MOST_NAMES, type NamedLines, type Settings } from '../commands/settings.ts';
import type { NamedKind } from '../store/settings-records.ts';
import type { SlackWeb } from './web.ts';
import { createZones } from './zones.ts';

export type SettingsOptions = PauseSwitchOptions & {
  readonly alerts: AlertSettings;
  readonly web: Pick<SlackWeb, 'timeZone'>;
};

/** Where neither the person nor Slack says. */
const NO_ZONE = 'UTC';

export function createSettings(options: SettingsOptions): Settings {
  const { store, web, clock } = options;
  const zoneInSlack = createZones(web, clock);

  const named = (kind: NamedKind): NamedLines => ({
    keep: (line) =>
      store.transaction(async (tables) => {
        const at = clock.now();
        const kept = await tables.namedLines.put(kind, { ...line, at }, MOST_NAMES);
        // What is everybody's makes others run something: who wrote it is kept.
        if (kept === 'kept' && line.owner === null) {
          const detail = { line: line.line };
          await tables.audit.append({
            at,
            actor: line.by,
            action: `${kind}.shared`,
            subject: line.name,
            detail,
          });
        }
        return kept;
      }),
    remove: ({ owner, name, by }) =>
      store.transaction(async (tables) => {
        const removed = await tables.namedLines.remove(kind, owner, name);
        if (removed && owner === null) {
          const at = clock.now();
          await tables.audit.append({ at, actor: by, action: `${kind}.removed`, subject: name, detail: {} });
        }
        return removed;
      }),
    find: (person, name) => store.namedLines.find(kind, person, name),
    list: (person) => store.namedLines.list(kind, person),
  });

  const chosen: Settings['people']['chosen'] = async (person) => {
    const zone = await store.people.timeZone(person);
    if (zone !== null) return { zone, chosen: true };
    return { zone: (await zoneInSlack(person)) ?? NO_ZONE, chosen: false };
  };

  return {
    aliases: named('alias'),
    saved: named('saved'),
    people: {
      chosen,
      timezone: async (person) => (await chosen(person)).zone,
      choose: store.people.setTimeZone,
    },
    pause: createPauseSwitch(options),
    alerts: options.alerts,
  };
}
