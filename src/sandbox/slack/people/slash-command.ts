/** A person sends a slash command. */
import type { CommandAnswer, CommandInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { ResponseUrlGrant } from '../core/response-urls.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { applyResponse } from '../http/response-url.ts';
import { escapeText, withEntities } from '../messages/typed-text.ts';
import { withEmojiNames } from '../objects/emoji-names.ts';
import { commandPayload } from '../payloads/interaction-payloads.ts';
import { errorAnswer, personInChannel } from './find-targets.ts';
import { postAsPerson } from './typed-message.ts';

/**
 * Resolves once the bot has acknowledged, or with the error that Slack would show. An answer for the whole channel also
 * shows the command there, even where it says nothing else (docs.slack.dev/interactivity/implementing-slash-commands).
 */
export async function sendSlashCommand(
  core: WorkspaceCore,
  deliver: Deliver,
  input: CommandInput,
): Promise<CommandAnswer> {
  const location = personInChannel(core, input);
  if (!location.ok) return location;
  const { person, channel } = location;
  if (channel.archived) return errorAnswer('is_archived');
  const known = core.manifest.commands.find(({ command }) => command === input.command);
  if (!known) return errorAnswer('invalid_command');
  const typed = withEmojiNames(input.text.trim());
  const right: ResponseUrlGrant = { kind: 'commands', channel: channel.id, user: person.id, original: null };
  const triggerId = core.triggers.mint({ user: person.id, view: null, channel: channel.id });
  const payload = commandPayload(core, {
    person,
    channel,
    command: known.command,
    text: known.shouldEscape ? withEntities(core, typed, person.id) : escapeText(typed),
    triggerId,
    responseUrl: core.responseUrls.mint(right),
  });
  const outcome = await deliver({ kind: 'slash_commands', payload });
  if (outcome.kind === 'failed') return errorAnswer(outcome.error);
  const { response_type, ...message } = outcome.body;
  if (response_type === 'in_channel') {
    const text = `${known.command} ${withEntities(core, typed, person.id)}`.trim();
    postAsPerson(core, { user: person.id, channel: channel.id, text });
  }
  if (Object.keys(message).length > 0) {
    const reply = applyResponse(core, right, outcome.body);
    if (!reply.ok) return errorAnswer(String(reply['error']));
  }
  return { ok: true, trigger_id: triggerId };
}
