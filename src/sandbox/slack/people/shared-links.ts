/** Links in a person's message that belong to the app's domains (docs.slack.dev/reference/events/link_shared). */
import type { WorkspaceCore } from '../core/core.ts';
import { unescapeText } from '../messages/typed-text.ts';
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
    unfurl_id: unfurlIdOf({ channel: channel.id, ts }),
    source: 'conversations_history',
    links,
    user_locale: 'en-US',
    event_ts: core.ids.ts(),
  });
}

function urlsIn(text: string): readonly string[] {
  return [...text.matchAll(/<(https?:\/\/[^<>|]+)(?:\|[^<>]*)?>/g)].map(([, url = '']) => unescapeText(url));
}

/** The registered domain of a URL, which includes its subdomains. */
function domainOf(url: string, domains: readonly string[]): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return domains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}
