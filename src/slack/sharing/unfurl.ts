/**
 * Links to devices in people's messages show what the device is and how it stands. With restraint: nothing below
 * three links or more, and nothing that the channel was shown a moment ago.
 */
import { z } from 'zod';
import { judge } from '../../access.ts';
import { type Clock, type Instant, later, MINUTE } from '../../clock.ts';
import type { SharedPorts } from '../../commands/command.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import { type ChannelId, channelId, type DeviceId, isDirect, messageTs, personId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { RenderedMessage } from '../../views/model.ts';
import { renderUnfurl } from '../../views/unfurl.ts';
import type { ReachOf } from '../external.ts';
import { faultText } from '../faults.ts';
import type { People } from '../people.ts';
import type { SlackWeb } from '../web.ts';
import { consoleLinks } from './console-links.ts';

/** More links are a list, which is read as such. */
const MOST_LINKS = 2;
/** What a channel was shown so lately is still in sight. */
const REPEAT_MS = 30 * MINUTE;
/** Links that are remembered: more than channels are shown in that time. */
const REMEMBERED = 1_000;

/** docs.slack.dev/reference/events/link_shared; `composer` is a message that is still being written. */
const sharedSchema = z.object({
  channel: z.string(),
  is_bot_user_member: z.boolean().default(false),
  user: z.string().transform(personId),
  message_ts: z.string(),
  source: z.string().default('conversations_history'),
  links: z.array(z.object({ url: z.string() })),
});

export type UnfurlOptions = {
  /** The setting FLEET_CONSOLE_URL; null: links are left alone. */
  readonly template: string | null;
  readonly web: Pick<SlackWeb, 'unfurl'>;
  readonly people: People;
  readonly reachOf: ReachOf;
  readonly ports: Pick<SharedPorts, 'fleet' | 'inventory' | 'clock' | 'organizationId'>;
  readonly log: Log;
};

/** Listener of `link_shared`. */
export function createUnfurl({ template, web, people, reachOf, ports, log }: UnfurlOptions) {
  if (template === null) return async (): Promise<void> => undefined;
  const deviceOf = consoleLinks(template);
  const lately = createMemory(ports.clock);

  const draw = async (id: DeviceId): Promise<RenderedMessage | null> => {
    try {
      const device = await ports.fleet.device(id, { lane: 'background' });
      if (device.organizationId !== ports.organizationId) return null;
      return renderUnfurl({ device, groupName: await ports.inventory.groupName(device.groupId) });
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      return null;
    }
  };

  return async (payload: unknown): Promise<void> => {
    const shared = sharedSchema.parse(payload);
    if (!shared.is_bot_user_member || shared.source !== 'conversations_history') return;
    // What is said to the bot alone is answered, and a link with the device's card.
    const channel = channelId(shared.channel);
    if (isDirect(channel)) return;
    const found = new Map(shared.links.map(({ url }) => [url, deviceOf(url)]));
    if (found.size > MOST_LINKS) return;
    if (judge(await people.roleOf(shared.user), 'read') !== 'allowed') return;
    if ([...found.values()].every((id) => id === null) || (await reachOf(channel)) !== 'internal') return;
    const drawn = new Map<string, RenderedMessage>();
    for (const [url, id] of found) {
      if (id === null || lately.has(channel, id)) continue;
      const shown = await draw(id);
      if (shown === null) continue;
      lately.add(channel, id);
      drawn.set(url, shown);
    }
    if (drawn.size === 0) return;
    const sent = await web.unfurl({ channel, ts: messageTs(shared.message_ts) }, drawn);
    if (sent.kind === 'ok') return;
    // What the channel certainly was not shown may be shown the next time.
    if (sent.kind !== 'uncertain') for (const url of drawn.keys()) lately.forget(channel, found.get(url));
    log.warn({ event: 'unfurl.lost', reason: faultText(sent) }, 'could not unfurl a link');
  };
}

/** What each channel was shown lately. */
function createMemory(clock: Clock) {
  const shown = new Map<string, Instant>();
  const keyOf = (channel: ChannelId, id: DeviceId) => `${channel}/${id}`;
  return {
    has(channel: ChannelId, id: DeviceId): boolean {
      const last = shown.get(keyOf(channel, id));
      return last !== undefined && clock.now() < later(last, REPEAT_MS);
    },
    add(channel: ChannelId, id: DeviceId): void {
      const key = keyOf(channel, id);
      shown.delete(key);
      shown.set(key, clock.now());
      const [oldest] = shown.keys();
      if (shown.size > REMEMBERED && oldest !== undefined) shown.delete(oldest);
    },
    forget(channel: ChannelId, id: DeviceId | null | undefined): void {
      if (id !== null && id !== undefined) shown.delete(keyOf(channel, id));
    },
  };
}
