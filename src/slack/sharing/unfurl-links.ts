/** Links to devices show the device: nothing for three or more links, and nothing that the channel was shown lately. */
import { z } from 'zod';
import type { SharedPorts } from '../../commands/core/command.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import { decideAccess } from '../../lib/access.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import { channelId, type DeviceId, deviceId, isDirectMessage, messageTs, personId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { renderDeviceUnfurl } from '../../views/device/device-list.ts';
import type { RenderedMessage } from '../../views/views.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** More links are a list, which people read as a list. */
const MAX_LINKS = 2;
/** What a channel was shown this recently is still visible. */
const REPEAT_AFTER_MS = 30 * MINUTE;
/** Links that are remembered: more than channels are shown in that time. */
const MAX_REMEMBERED = 1_000;

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
  /** `FLEET_CONSOLE_URL`; null: links are left alone. */
  readonly template: string | null;
  readonly web: Pick<SlackWeb, 'unfurl'>;
  readonly people: RoleLookup;
  readonly readersOf: ChannelReadersOf;
  readonly ports: Pick<SharedPorts, 'fleet' | 'inventory' | 'clock' | 'organizationId'>;
  readonly log: Log;
};

export function createUnfurl({ template, web, people, readersOf, ports, log }: UnfurlOptions) {
  if (template === null) return async (): Promise<void> => undefined;
  const deviceOf = consoleLinks(template);
  const shownAt = new Map<string, Instant>();

  const wasShownLately = (key: string): boolean => {
    const last = shownAt.get(key);
    return last !== undefined && ports.clock.now() < later(last, REPEAT_AFTER_MS);
  };

  const draw = async (id: DeviceId): Promise<RenderedMessage | null> => {
    try {
      const device = await ports.fleet.device(id, { lane: 'background' });
      if (device.organizationId !== ports.organizationId) return null;
      return renderDeviceUnfurl({ device, groupName: await ports.inventory.groupName(device.groupId) });
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      return null;
    }
  };

  return async (payload: unknown): Promise<void> => {
    const shared = sharedSchema.parse(payload);
    if (!shared.is_bot_user_member || shared.source !== 'conversations_history') return;
    // In a direct message the bot answers, and a link gets the device's card.
    const channel = channelId(shared.channel);
    if (isDirectMessage(channel)) return;
    const found = new Map(shared.links.map(({ url }) => [url, deviceOf(url)]));
    if (found.size > MAX_LINKS) return;
    if (decideAccess(await people.roleOf(shared.user), 'read') !== 'allowed') return;
    if ([...found.values()].every((id) => id === null) || (await readersOf(channel)) !== 'internal') return;
    const drawn = new Map<string, RenderedMessage>();
    for (const [url, id] of found) {
      const key = `${channel}/${id}`;
      if (id === null || wasShownLately(key)) continue;
      const unfurls = await draw(id);
      if (unfurls === null) continue;
      setNewest(shownAt, key, ports.clock.now(), MAX_REMEMBERED);
      drawn.set(url, unfurls);
    }
    if (drawn.size === 0) return;
    const sent = await web.unfurl({ channel, ts: messageTs(shared.message_ts) }, drawn);
    if (sent.kind === 'ok') return;
    // What certainly was not shown may be shown next time.
    if (sent.kind !== 'uncertain')
      for (const url of drawn.keys()) shownAt.delete(`${channel}/${found.get(url)}`);
    log.warn({ event: 'unfurl.lost', reason: slackErrorText(sent) }, 'could not unfurl a link');
  };
}

/** The device of an address; null: none. `template` is `FLEET_CONSOLE_URL`. */
export function consoleLinks(template: string): (url: string) => DeviceId | null {
  const [before = '', after = ''] = template.split('{id}').map((part) => RegExp.escape(part));
  const pattern = new RegExp(`^${before}([1-9]\\d{0,14})${after}(?=[/?#&]|$)`);
  return (url) => {
    const id = pattern.exec(url)?.[1];
    return id === undefined ? null : deviceId(Number(id));
  };
}
