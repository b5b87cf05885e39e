/** A person puts a reaction on a message, or takes it back (docs.slack.dev/reference/events/reaction_added). */
import type { Answer, ReactOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import { react as changeReaction, REACTION_NAME } from '../reacting.ts';
import { failed, messageOf } from './found.ts';

export function react(core: Core, order: ReactOrder): Answer {
  const found = messageOf(core, order);
  if (!found.ok) return found;
  const { person, channel, message } = found;
  if (channel.archived) return failed('is_archived');
  if (message.onlyFor !== null) return failed('message_not_found');
  const name = order.name.replace(/^:(.*):$/, '$1');
  if (!REACTION_NAME.test(name)) return failed('invalid_name');
  const refusal = changeReaction(core, { message, user: person.id, name, back: order.remove === true });
  return refusal === null ? { ok: true } : failed(refusal);
}
