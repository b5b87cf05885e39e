/** The topics of help: each command belongs to one. Pure. */
import type { HelpEntry } from '../../views/model.ts';
import type { Command } from '../core/command.ts';

export const TOPICS = [
  { name: 'looking', title: 'Look at the fleet' },
  { name: 'changing', title: 'Change devices, groups and policies' },
  { name: 'alerts', title: 'Alerts' },
  { name: 'settings', title: 'Settings' },
] as const;
export type TopicName = (typeof TOPICS)[number]['name'];

/** Lists every command, topic by topic. */
export const ALL = 'all';
/** Explains the filters of `devices`. */
export const FILTERS = 'filters';

/** Commands whose topic does not follow from their kind. */
const OF_COMMANDS: ReadonlyMap<string, TopicName> = new Map([
  ...(['alerts', 'acknowledge', 'subscribe', 'unsubscribe', 'subscriptions', 'silence'] as const).map(
    (name) => [name, 'alerts'] as const,
  ),
  ['explain', 'changing'],
  ['help', 'settings'],
]);
const OF_KINDS = { read: 'looking', write: 'changing', setting: 'settings' } as const;

export function helpEntry({ name, usage, summary, examples }: HelpEntry): HelpEntry {
  return { name, usage, summary, examples };
}

export function topicOf({ name, kind }: Pick<Command, 'name' | 'kind'>): TopicName {
  return OF_COMMANDS.get(name) ?? OF_KINDS[kind];
}
