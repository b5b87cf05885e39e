/** Links in a person's message that belong to the app (docs.slack.dev/reference/events/link_shared). */
import type { WorkspaceCore } from '../core/core.ts';
import { unescapeText } from '../messages/typed-text.ts';
import type { Channel } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';

/**
 * Tells the bot of links into its domains, also where it is no member. Slack also tells of links that are still
 * being written; nobody writes slowly here, so that comes never.
 */
export function announceSharedLinks(
  core: WorkspaceCore,
  channel: Channel,
  { text, user, ts, threadTs }: Message,
): void {
  const links = urlsIn(text).flatMap((url) => {
    const domain = domainOf(url, core.manifest.unfurlDomains);
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
    unfurl_id: `${channel.id}.${ts}`,
    source: 'conversations_history',
    links,
    event_ts: core.ids.ts(),
  });
}

function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/<(https?:\/\/[^<>|]+)(?:\|[^<>]*)?>/g)].map(([, url = '']) => unescapeText(url));
}

/** The domain as it was registered; hosts below it belong to it too. */
function domainOf(url: string, domains: readonly string[]): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return domains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}
