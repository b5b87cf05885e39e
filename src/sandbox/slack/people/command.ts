/** A person sends a slash command. */
import type { CommandAnswer, CommandOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { commandPayload } from '../payloads.ts';
import { respond } from '../response-door.ts';
import type { ResponseRight } from '../response-urls.ts';
import { escapeText, withEntities } from '../typed-text.ts';
import { failed, standing } from './found.ts';

/** Answers once the bot has acknowledged, or with the error that Slack would show. */
export async function giveCommand(core: Core, deliver: Deliver, order: CommandOrder): Promise<CommandAnswer> {
  const stood = standing(core, order);
  if (!stood.ok) return stood;
  const { person, channel } = stood;
  if (channel.archived) return failed('is_archived');
  const known = core.manifest.commands.find(({ command }) => command === order.command);
  if (!known) return failed('invalid_command');
  const typed = order.text.trim();
  const right: ResponseRight = { kind: 'commands', channel: channel.id, user: person.id, original: null };
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
  if (outcome.kind === 'failed') return failed(outcome.error);
  if (Object.keys(outcome.body).length > 0) {
    const reply = respond(core, right, outcome.body);
    if (!reply.ok) return failed(String(reply['error']));
  }
  return { ok: true, trigger_id: triggerId };
}
