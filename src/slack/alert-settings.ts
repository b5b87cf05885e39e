/** Where alerts go, for settings commands: the desk that changes it, and the channels that Slack knows. */
import type { AlertSettings, ChannelFound } from '../commands/alerting/alert-settings.ts';
import type { ChannelId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import type { AlertChanges } from '../store/alert-changes.ts';
import type { Store } from '../store/store.ts';
import { fold } from '../text.ts';
import type { ReachOf } from './external.ts';
import type { SlackWeb } from './web.ts';

export type AlertSettingsOptions = {
  readonly store: Pick<Store, 'subscriptions' | 'silences' | 'deliveries'>;
  readonly changes: AlertChanges;
  readonly web: Pick<SlackWeb, 'memberChannels' | 'privateChannelsWith' | 'openDirect'>;
  readonly reachOf: ReachOf;
  readonly channels: Pick<Policy['channels'], 'patchAlerts' | 'newDevices'>;
};

export function createAlertSettings(options: AlertSettingsOptions): AlertSettings {
  const { store, web, reachOf, channels } = options;
  const { subscribe, unsubscribe, silence, unsilence, acknowledge } = options.changes;
  const asMember = async (channel: ChannelId): Promise<ChannelFound> => {
    const reach = await reachOf(channel);
    return reach === 'internal'
      ? { kind: 'member', channel }
      : { kind: 'external', channel, isKnown: reach === 'external' };
  };
  return {
    subscribe,
    unsubscribe,
    silence,
    unsilence,
    acknowledge,
    fixed: [
      { kind: 'patch-failed', channel: channels.patchAlerts },
      { kind: 'device-added', channel: channels.newDevices },
    ],
    subscriptions: store.subscriptions.open,
    silences: store.silences.open,
    list: store.deliveries.list,
    async channel(given, asker): Promise<ChannelFound> {
      const found = await web.memberChannels();
      if (found.kind !== 'ok') return { kind: 'unread' };
      const wanted = fold(given).replace(/^#/, '');
      const channel = found.value.find(({ id, name }) => fold(id) === wanted || fold(name) === wanted);
      if (channel === undefined) return { kind: 'stranger' };
      if (!channel.isPrivate) return asMember(channel.id);
      // Who is outside is not even told that there is such a channel.
      const shared = await web.privateChannelsWith(asker);
      if (shared.kind !== 'ok') return { kind: 'unread' };
      return shared.value.some(({ id }) => id === channel.id) ? asMember(channel.id) : { kind: 'stranger' };
    },
    async direct(person) {
      const opened = await web.openDirect(person);
      return opened.kind === 'ok' ? opened.value : null;
    },
  };
}
