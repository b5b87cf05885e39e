/** What a link shows under a message, as the app set it. */
import { withGeneratedIds } from '../blocks/generated-ids.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asList, type JsonObject } from '../core/json-object.ts';

/** As an app's own (docs.slack.dev/messaging/unfurling-links-in-messages); its blocks have ids as all blocks do. */
export function unfurledAttachment(
  { app, ids }: WorkspaceCore,
  url: string,
  attachment: JsonObject,
): JsonObject {
  const { blocks } = attachment;
  return {
    ...attachment,
    ...(blocks === undefined ? {} : { blocks: withGeneratedIds(asList(blocks), ids) }),
    bot_id: app.botId,
    app_id: app.appId,
    bot_team_id: app.teamId,
    app_unfurl_url: url,
    is_app_unfurl: true,
  };
}
