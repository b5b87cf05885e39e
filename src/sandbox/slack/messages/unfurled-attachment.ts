/** What a link shows under a message, as the app set it. */
import type { WorkspaceCore } from '../core/core.ts';
import { asList, type JsonObject } from '../core/json-object.ts';
import type { Message } from '../state/timeline.ts';
import { storedBlocks } from './stored-blocks.ts';

/** The domain of the app that the URL is in; a domain includes its subdomains. */
export function unfurlDomainOf({ manifest }: WorkspaceCore, url: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return manifest.unfurlDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** As an app's own (docs.slack.dev/messaging/unfurling-links-in-messages); its blocks have ids as all blocks do. */
export function unfurledAttachment(core: WorkspaceCore, url: string, attachment: JsonObject): JsonObject {
  const { app } = core;
  // The preview is for a message that is still being written (docs.slack.dev/reference/methods/chat.unfurl).
  const { blocks, preview: _, ...shown } = attachment;
  return {
    ...shown,
    ...(blocks === undefined ? {} : { blocks: storedBlocks(core, asList(blocks)) }),
    bot_id: app.botId,
    app_id: app.appId,
    bot_team_id: app.teamId,
    app_unfurl_url: url,
    is_app_unfurl: true,
  };
}

/** Shows something else for a link, or nothing; the rest of the message is a person's. */
export function changeUnfurl(
  core: WorkspaceCore,
  message: Message,
  url: string,
  content: JsonObject | null,
): void {
  const attachments = message.attachments.flatMap((each) => {
    if (each['app_unfurl_url'] !== url) return [each];
    return content === null ? [] : [{ ...unfurledAttachment(core, url, content), id: each['id'] }];
  });
  core.timeline.change(message, { attachments });
  core.changed();
}
