/** Alert routing for settings commands: the alert service that changes it, and the channels that Slack knows. */
import type { AlertSettings, ChannelFound } from '../../commands/alerting/alert-settings-port.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { AlertSettingChanges } from '../../store/port/alert-changes.ts';
import type { Store } from '../../store/port/store.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type AlertSettingsOptions = {
  readonly store: Pick<Store, 'subscriptions' | 'silences' | 'deliveries'>;
  readonly changes: AlertSettingChanges;
  readonly web: Pick<SlackWeb, 'memberChannels' | 'privateChannelsWith' | 'openDirect'>;
  readonly readersOf: ChannelReadersOf;
  readonly channels: Pick<ConfigurationFile['channels'], 'patchAlerts' | 'newDevices'>;
};

export function createAlertSettings(options: AlertSettingsOptions): AlertSettings {
  const { store, web, readersOf, channels } = options;
  const { subscribe, unsubscribe, silence, unsilence, acknowledge } = options.changes;
  const asMember = async (channel: ChannelId): Promise<ChannelFound> => {
    const readers = await readersOf(channel);
    return readers === 'internal'
      ? { kind: 'member', channel }
      : { kind: 'external', channel, isKnown: readers === 'external' };
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
    async channel(typedName, asker): Promise<ChannelFound> {
      const found = await web.memberChannels();
      if (found.kind !== 'ok') return { kind: 'unread' };
      const foldedName = fold(typedName).replace(/^#/, '');
      const channel = found.value.find(
        ({ id, name }) => fold(id) === foldedName || fold(name) === foldedName,
      );
      if (channel === undefined) return { kind: 'stranger' };
      if (!channel.isPrivate) return asMember(channel.id);
      // People outside a private channel must not learn that it exists.
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
