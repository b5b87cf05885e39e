/** Links in a person's message that belong to the app's domains (docs.slack.dev/reference/events/link_shared). */
import type { WorkspaceCore } from '../core/core.ts';
import { unescapeText } from '../messages/typed-text.ts';
import { unfurlDomainOf } from '../messages/unfurled-attachment.ts';
import { unfurlIdOf } from '../objects/unfurl-id.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';

/**
 * Sends the bot an event for links into its domains, even in channels it is not in. Slack also reports links in unsent
 * drafts; the sandbox has no drafts.
 */
export function announceSharedLinks(
  core: WorkspaceCore,
  channel: Channel,
  { text, user, ts, threadTs }: Message,
): void {
  const links = urlsIn(text).flatMap((url) => {
    const domain = unfurlDomainOf(core, url);
    return domain === undefined ? [] : [{ domain, url }];
  });
  if (links.length === 0) return;
  core.announce('link_shared', {
    type: 'link_shared',
    channel: channel.id,
    is_bot_user_member: channel.members.has(core.app.botUser),
    user,
    message_ts: ts,
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
    unfurl_id: unfurlIdOf({ channel: channel.id, ts }),
    source: 'conversations_history',
    links,
    // Everybody here has the language that `include_locale` gives them.
    user_locale: 'en-US',
    event_ts: core.ids.ts(),
  });
}

/** Without the hosts that were typed without a protocol (docs.slack.dev/messaging/unfurling-links-in-messages). */
function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/<(https?:\/\/[^<>|]+)(?:\|([^<>]*))?>/g)]
    .filter(([, url, label]) => url !== `http://${label}`)
    .map(([, url = '']) => unescapeText(url));
}
