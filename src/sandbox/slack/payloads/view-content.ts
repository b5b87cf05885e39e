/** Views that the bot sends, by method or in an acknowledgement: validated, with generated ids. */
import type { WorkspaceCore } from '../core/core.ts';
import { asJsonObject, asList, asString } from '../core/json-object.ts';
import { storedBlocks } from '../messages/stored-blocks.ts';
import type { SlackView, SlackViewContent } from '../state/view-store.ts';
import { slackFileProblems } from '../validate/slack-files.ts';
import { checkView, withWholeView } from '../validate/view-rules.ts';
import { type ApiError, errorReply, validationErrorReply } from '../web-api/calls/replies.ts';

export type ParsedViewContent = { readonly ok: true; readonly content: SlackViewContent } | ApiError;

/**
 * `instead` is the view that this one replaces. An answer of views.push does not name the whole view
 * (F3-Nation/archive-f3-nation-slack-bot, issue 42).
 */
export function parseView(
  core: WorkspaceCore,
  sent: unknown,
  type: SlackView['type'],
  instead?: SlackView,
  isPushed = false,
): ParsedViewContent {
  const found = checkView(sent, type);
  const wrong = isPushed ? found : withWholeView(found);
  const problems = wrong.length > 0 ? wrong : slackFileProblems(sent, '/view', core.files.isPicture);
  if (problems.length > 0) return validationErrorReply('invalid_arguments', problems);
  const { blocks, external_id, ...content } = asJsonObject(sent);
  const externalId = asString(external_id) || null;
  const holder = externalId === null ? undefined : core.views.byExternalId(externalId);
  if (holder && holder.id !== instead?.id) return errorReply('duplicate_external_id');
  return { ok: true, content: { content, externalId, blocks: storedBlocks(core, asList(blocks)) } };
}
